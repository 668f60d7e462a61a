import { JOBS_KEY, jobRefOf, overlapLockSortOf } from '../../contracts/tables';
import type { OverlapLock, OverlapLockStore } from '../overlap-lock-store';
import type { Row, TableAccess } from './access';
import { conditionalUpdate, type RefusedWrite } from './conditional-write';
import { allOf, anyOf } from './expressions';
import { readRow } from './read-row';

const isFree = 'attribute_not_exists(#holder)';
const isHolder = '#holder = :execId';
const isFirstLife = 'attribute_not_exists(#holderRetries)';
const isSameLife = '#holderRetries = :userRetries';
const isNoLaterLife = anyOf(isFirstLife, '#holderRetries <= :userRetries');
/** Two lives of the holder may have acquired the lock in the same millisecond. */
const isHeldAsSeen = ({ holderRetries }: OverlapLock): string =>
  allOf(
    '#holder = :insteadOf AND #sinceMs = :seenSinceMs',
    holderRetries === undefined ? isFirstLife : '#holderRetries = :seenRetries',
  );
const hasNoWaiter = 'attribute_not_exists(#waiter)';
const isWaiter = '#waiter = :execId';
const isWaitedForAsSeen = '#waiter = :insteadOf';

/**
 * A row of its own beside the job, under a sort key that no job can have. A change of the job's definition
 * cannot touch it, and a write costs 1 write unit whatever the size of the job's payload.
 */
const lockRowKey = (jobKey: string): Row => {
  const { userId, jobId } = jobRefOf(jobKey);
  return { [JOBS_KEY.partition]: userId, [JOBS_KEY.sort]: overlapLockSortOf(jobId) };
};

const lockOf = (row: Row | undefined): OverlapLock => ({
  holder: row?.holder as string | undefined,
  holderRetries: row?.holderRetries as number | undefined,
  sinceMs: row?.sinceMs as number | undefined,
  waiter: row?.waiter as string | undefined,
});

/** Each write costs 1 write unit. A lost race costs 1 read unit more, unless DynamoDB returns the row. */
export const dynamoOverlapLockStore = (access: TableAccess): OverlapLockStore => ({
  async acquire(jobKey, execId, { nowMs, userRetries, insteadOf }) {
    const isRetry = userRetries !== undefined;
    const answer = await conditionalUpdate(access, {
      Key: lockRowKey(jobKey),
      ConditionExpression: anyOf(
        isFree,
        allOf(isHolder, isRetry ? isNoLaterLife : isFirstLife),
        ...(insteadOf ? [isHeldAsSeen(insteadOf)] : []),
      ),
      UpdateExpression:
        'SET #holder = :execId, #sinceMs = :nowMs' +
        (isRetry ? ', #holderRetries = :userRetries' : ' REMOVE #holderRetries'),
      ExpressionAttributeValues: {
        ':execId': execId,
        ':nowMs': nowMs,
        ...(isRetry && { ':userRetries': userRetries }),
        ...(insteadOf && { ':insteadOf': insteadOf.holder, ':seenSinceMs': insteadOf.sinceMs }),
        ...(insteadOf?.holderRetries !== undefined && { ':seenRetries': insteadOf.holderRetries }),
      },
      ReturnValues: 'ALL_NEW',
    });
    if (answer.applied) return { outcome: 'acquired', lock: lockOf(answer.row) };
    return { outcome: 'held', lock: await currentLock(access, jobKey, answer) };
  },

  async putWaiter(jobKey, execId, insteadOf) {
    const answer = await conditionalUpdate(access, {
      Key: lockRowKey(jobKey),
      ConditionExpression: anyOf(hasNoWaiter, isWaiter, ...(insteadOf ? [isWaitedForAsSeen] : [])),
      UpdateExpression: 'SET #waiter = :execId',
      ExpressionAttributeValues: { ':execId': execId, ...(insteadOf && { ':insteadOf': insteadOf }) },
    });
    if (answer.applied) return { outcome: 'waiting' };
    return { outcome: 'held', lock: await currentLock(access, jobKey, answer) };
  },

  async clearWaiter(jobKey, execId) {
    await conditionalUpdate(access, {
      Key: lockRowKey(jobKey),
      ConditionExpression: isWaiter,
      UpdateExpression: 'REMOVE #waiter',
      ExpressionAttributeValues: { ':execId': execId },
    });
  },

  async release(jobKey, execId, userRetries) {
    const isRetry = userRetries !== undefined;
    const answer = await conditionalUpdate(access, {
      Key: lockRowKey(jobKey),
      ConditionExpression: allOf(isHolder, isRetry ? isSameLife : isFirstLife),
      UpdateExpression: 'REMOVE #holder, #holderRetries, #sinceMs',
      ExpressionAttributeValues: { ':execId': execId, ...(isRetry && { ':userRetries': userRetries }) },
      ReturnValues: 'ALL_NEW',
    });
    return answer.applied ? lockOf(answer.row) : currentLock(access, jobKey, answer);
  },

  get: (jobKey) => readLock(access, jobKey),
});

const currentLock = async (
  access: TableAccess,
  jobKey: string,
  { current }: RefusedWrite,
): Promise<OverlapLock> => (current ? lockOf(current) : readLock(access, jobKey));

const readLock = async (access: TableAccess, jobKey: string): Promise<OverlapLock> =>
  lockOf(await readRow(access, lockRowKey(jobKey)));
