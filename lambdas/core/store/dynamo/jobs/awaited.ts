import type { JobRef } from '../../../contracts/tables';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { jobRowKey } from './job-row';

const exists = 'attribute_exists(#etag)';
const isAsSeen = '#awaitedAtMs = :seenMs';

/** Key: the job's. Condition: there is such a job. Cost: 1 write unit a KB of the row. */
export async function setAwaited(
  access: TableAccess,
  ref: JobRef,
  atMs: number,
): Promise<'done' | 'missing'> {
  const answer = await conditionalUpdate(access, {
    Key: jobRowKey(ref),
    ConditionExpression: exists,
    UpdateExpression: 'SET #awaitedAtMs = :atMs',
    ExpressionAttributeValues: { ':atMs': atMs },
  });
  return answer.applied ? 'done' : 'missing';
}

/**
 * Key: the job's. Condition: recorded as seen. Cost: 1 write unit a KB of the row. Lost race: nothing is
 * written.
 */
export async function clearAwaited(access: TableAccess, ref: JobRef, seenMs: number): Promise<void> {
  await conditionalUpdate(access, {
    Key: jobRowKey(ref),
    ConditionExpression: isAsSeen,
    UpdateExpression: 'REMOVE #awaitedAtMs',
    ExpressionAttributeValues: { ':seenMs': seenMs },
  });
}
