import type { Job } from '../../../domain/job';
import type { TableAccess } from '../access';
import { conditionalPut } from '../conditional-write';
import { jobOf, jobRowOf } from './job-row';
import { readJob } from './read-jobs';

const isNew = 'attribute_not_exists(#jobId)';
const MAX_TRIES = 3;

/**
 * Key: the job's. Condition: no such job. Cost: 1 write unit a KB.
 * Lost race: `exists` with the row that was first. One's own row, written by a try whose answer was lost, bears one's
 * own etag, which nobody else can.
 */
export async function createJob(
  access: TableAccess,
  job: Job,
): Promise<{ outcome: 'created' } | { outcome: 'exists'; current: Job }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await conditionalPut(access, { Item: jobRowOf(job), ConditionExpression: isNew });
    if (answer.held) return { outcome: 'created' };
    const current = answer.current ? jobOf(answer.current) : await readJob(access, job);
    if (current?.etag === job.etag) return { outcome: 'created' };
    if (current) return { outcome: 'exists', current };
    // deleted between the write and the read: there is room again
  }
  throw new Error(`job ${JSON.stringify(job.jobId)} came and went ${MAX_TRIES} times while it was created`);
}
