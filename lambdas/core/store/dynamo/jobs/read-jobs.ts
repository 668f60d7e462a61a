import { JOBS_KEY, jobKeyOf, jobRefOf, type JobRef } from '../../../contracts/tables';
import type { Job } from '../../../domain/job';
import type { TableAccess } from '../access';
import { readItems } from '../batch-get';
import { readRow } from '../read-row';
import { jobOf, jobRowKey } from './job-row';

/** Consistent. Cost: 1 read unit each 4 KB. */
export async function readJob(access: TableAccess, ref: JobRef): Promise<Job | undefined> {
  const row = await readRow(access, jobRowKey(ref));
  return row && jobOf(row);
}

/** By full id, a hundred a call. Cost: 1 read unit for each key and 4 KB, half of that if not consistent. */
export async function readManyJobs(
  access: TableAccess,
  jobKeys: readonly string[],
  options: { consistent: boolean },
): Promise<{ jobs: Map<string, Job>; unread: Set<string>; unreadable: Set<string> }> {
  const { items: jobs, ...rest } = await readItems(access, jobKeys, BY_JOB_KEY, options);
  return { jobs, ...rest };
}

const BY_JOB_KEY = {
  idOf: (jobKey: string) => jobKey,
  keyOf: (jobKey: string) => jobRowKey(jobRefOf(jobKey)),
  refOf: (row: Readonly<Record<string, unknown>>) =>
    jobKeyOf({ userId: row[JOBS_KEY.partition] as string, jobId: row[JOBS_KEY.sort] as string }),
  itemOf: jobOf,
};
