import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { IncompleteReadError } from '../errors';
import type { ExecutionRef, ExecutionStore } from './execution-store';
import type { JobStore } from './job-store';

/*
 * Consistent reads whose results have all there is: what is absent does not exist. They throw
 * `IncompleteReadError` if a key got no answer.
 */

/** Jobs by their full ids. */
export async function readJobs(
  jobKeys: readonly string[],
  { jobs }: { jobs: Pick<JobStore, 'getMany'> },
): Promise<ReadonlyMap<string, Job>> {
  const read = await jobs.getMany(jobKeys, { consistent: true });
  if (read.unread.size > 0) throw new IncompleteReadError('jobs', read.unread.size);
  return read.jobs;
}

/** One job by its full id. */
export const readOneJob = async (
  jobKey: string,
  deps: { jobs: Pick<JobStore, 'getMany'> },
): Promise<Job | undefined> => (await readJobs([jobKey], deps)).get(jobKey);

/** Executions by `executionMapKey`. */
export async function readExecutions(
  refs: readonly ExecutionRef[],
  { executions }: { executions: Pick<ExecutionStore, 'getMany'> },
): Promise<ReadonlyMap<string, Execution>> {
  const read = await executions.getMany(refs, { consistent: true });
  if (read.unread.size > 0) throw new IncompleteReadError('executions', read.unread.size);
  return read.executions;
}
