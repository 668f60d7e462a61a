import { GetCommand } from '@aws-sdk/lib-dynamodb';

import { jobKeyOf, jobRefOf, type JobRef } from '../../../contracts/tables';
import type { Job } from '../../../domain/job';
import type { Row, TableAccess } from '../access';
import { batchGet } from '../batch-get';
import { jobRowKey, jobOf } from './job-row';

/** Consistent. Cost: 1 read unit each 4 KB. */
export async function readJob(access: TableAccess, ref: JobRef): Promise<Job | undefined> {
  const { Item } = await access.documents.send(
    new GetCommand({ TableName: access.table, Key: jobRowKey(ref), ConsistentRead: true }),
  );
  return Item && jobOf(Item);
}

/**
 * By full id, a hundred a call. Cost: a read unit for each key and 4 KB, half where not consistent.
 */
export async function readManyJobs(
  access: TableAccess,
  jobKeys: readonly string[],
  options: { consistent: boolean },
): Promise<{ jobs: Map<string, Job>; unread: Set<string>; unreadable: Set<string> }> {
  const keys = [...new Set(jobKeys)].map((key) => jobRowKey(jobRefOf(key)));
  const answer = await batchGet(access, keys, options);
  const unread = new Set(answer.unread.map(fullIdOf));
  const unreadable = new Set<string>();
  const jobs = new Map<string, Job>();
  for (const row of answer.rows) {
    try {
      jobs.set(fullIdOf(row), jobOf(row));
    } catch {
      unreadable.add(fullIdOf(row));
    }
  }
  return { jobs, unread, unreadable };
}

const fullIdOf = (row: Row): string => jobKeyOf({ userId: row.userId as string, jobId: row.jobId as string });
