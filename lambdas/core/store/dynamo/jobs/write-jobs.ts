import type { Job } from '../../../domain/job';
import type { WriteOptions } from '../../write-options';
import type { TableAccess } from '../access';
import { conditionalPut } from '../conditional-write';
import { jobOf, jobRowOf } from './job-row';
import { readJob } from './read-jobs';

const isNew = 'attribute_not_exists(#jobId)';
const MAX_TRIES = 3;

/**
 * Key: the job's. Condition: no such job. Cost: 1 write unit a KB.
 * Lost race: `exists` with the row that was first. A row written by an earlier try of this call, whose answer
 * was lost, is recognised by its etag, which no other call has.
 */
export async function createJob(
  access: TableAccess,
  job: Job,
  options?: WriteOptions,
): Promise<{ outcome: 'created' } | { outcome: 'exists'; current: Job }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await conditionalPut(access, { Item: jobRowOf(job), ConditionExpression: isNew }, options);
    if (answer.applied) return { outcome: 'created' };
    const current = answer.current ? jobOf(answer.current) : await readJob(access, job);
    if (current?.etag === job.etag) return { outcome: 'created' };
    if (current) return { outcome: 'exists', current };
    // Deleted between the write and the read: the id is free again.
  }
  throw new Error(
    `job ${JSON.stringify(job.jobId)} was created and deleted ${MAX_TRIES} times by other requests`,
  );
}
