import type { Job } from '../../../domain/job';
import type { WriteOptions } from '../../write-options';
import type { TableAccess } from '../access';
import { conditionalPut } from '../conditional-write';
import { allOf } from '../expressions';
import { jobOf, jobRowOf } from './job-row';
import { readJob } from './read-jobs';

const isAsSeen = '#etag = :seenEtag';
/** `setAwaited` leaves the etag as it is: a replacement must not undo it. */
const isNotAwaited = 'attribute_not_exists(#awaitedAtMs)';
const isAwaitedAsSeen = '#awaitedAtMs = :awaitedAtMs';

/**
 * Key: the job's. Condition: the row has the etag and the `awaitedAtMs` seen. Cost: 1 write unit a KB of
 * the larger of old and new. Lost race: `changed` with the row as it is, or without one if it is gone. A
 * row with the new etag was written by an earlier try of this call.
 */
export async function replaceJob(
  access: TableAccess,
  job: Job,
  seenEtag: string,
  options?: WriteOptions,
): Promise<{ outcome: 'replaced' } | { outcome: 'changed'; current?: Job }> {
  const { awaitedAtMs } = job;
  const row = {
    Item: jobRowOf(job),
    ConditionExpression: allOf(isAsSeen, awaitedAtMs === undefined ? isNotAwaited : isAwaitedAsSeen),
    ExpressionAttributeValues: {
      ':seenEtag': seenEtag,
      ...(awaitedAtMs !== undefined && { ':awaitedAtMs': awaitedAtMs }),
    },
  };
  const answer = await conditionalPut(access, row, options);
  if (answer.applied) return { outcome: 'replaced' };
  const current = answer.current ? jobOf(answer.current) : await readJob(access, job);
  if (current?.etag === job.etag) return { outcome: 'replaced' };
  return { outcome: 'changed', current };
}
