import type { Job } from '../../../domain/job';
import type { WriteOptions } from '../../write-options';
import type { TableAccess } from '../access';
import { conditionalPut } from '../conditional-write';
import { jobOf, jobRowOf } from './job-row';
import { readJob } from './read-jobs';

const isAsSeen = '#etag = :seenEtag';

/**
 * Key: the job's. Condition: the row has the etag seen. Cost: 1 write unit a KB of the larger of old and new.
 * Lost race: `changed` with the row as it is, or without one if it is gone. A row with the new etag was
 * written by an earlier try of this call.
 */
export async function replaceJob(
  access: TableAccess,
  job: Job,
  seenEtag: string,
  options?: WriteOptions,
): Promise<{ outcome: 'replaced' } | { outcome: 'changed'; current?: Job }> {
  const row = {
    Item: jobRowOf(job),
    ConditionExpression: isAsSeen,
    ExpressionAttributeValues: { ':seenEtag': seenEtag },
  };
  const answer = await conditionalPut(access, row, options);
  if (answer.applied) return { outcome: 'replaced' };
  const current = answer.current ? jobOf(answer.current) : await readJob(access, job);
  if (current?.etag === job.etag) return { outcome: 'replaced' };
  return { outcome: 'changed', current };
}
