import { isDeepStrictEqual } from 'node:util';

import { FAILURES_KEY } from '../../../contracts/tables';
import type { Execution } from '../../../domain/execution';
import { statusesBefore } from '../../../domain/transitions';
import { removedByUserRetry, type UserRetry, userRetryOf } from '../../../domain/user-retry';
import type { CancelRequest, ExecutionRef, LeaseOutcome, MovedRun } from '../../execution-store';
import type { WriteOptions } from '../../write-options';
import type { Row, TableAccess } from '../access';
import { conditionalPut, conditionalUpdate, type WriteAnswer } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { executionAttributesOf, executionOf, executionRowKey, isBefore, isRunning } from './execution-row';
import { currentExecution, failureKeyOf } from './read-executions';

const isNew = 'attribute_not_exists(#execId)';

/**
 * Key: the first occurrence's. Condition: no row, so the first decision counts. Cost: 1 write unit. Lost
 * race: `exists`.
 */
export async function putEnded(access: TableAccess, row: Execution): Promise<'written' | 'exists'> {
  if (!statusesBefore(row.status).includes('scheduled')) {
    throw new Error(`no transition leads from scheduled to ${row.status}`);
  }
  const answer = await putNew(access, row);
  return outcomeOf(access, row, answer, (current) =>
    [
      [current.status, row.status],
      [current.reason, row.reason],
      [current.finishedAtMs, row.finishedAtMs],
      [current.skipped?.toMs, row.skipped?.toMs],
    ].every(([is, written]) => is === written),
  );
}

/**
 * Key: the run's. Condition: no row. Cost: 1 write unit a KB, the payload included.
 * Lost race: `exists`. A row with what was asked for that a retry of the SDK finds was written by an earlier
 * try.
 */
export async function putQueued(
  access: TableAccess,
  row: Execution,
  options?: WriteOptions,
): Promise<'written' | 'exists'> {
  if (row.status !== 'queued') throw new Error(`a run starts as queued, not ${row.status}`);
  const answer = await putNew(access, row, options);
  return outcomeOf(access, row, answer, (current) => isDeepStrictEqual(askedIn(current), askedIn(row)));
}

/** What tells one request for a run from another. Two of them may name one row, if they share a key. */
const askedIn = ({ trigger, cause, dueAtMs, payload }: Execution) =>
  trigger === 'manual' ? { trigger, dueAtMs, payload } : { trigger, cause };

function putNew(access: TableAccess, row: Execution, options?: WriteOptions): Promise<WriteAnswer> {
  const item: Row = {
    ...executionRowKey(row),
    ...executionAttributesOf(row),
    ...failureKeyOf(row, row.status),
  };
  return conditionalPut(access, { Item: item, ConditionExpression: isNew }, options);
}

/** If the SDK retried, an earlier try may have written the row. */
async function outcomeOf(
  access: TableAccess,
  row: Execution,
  answer: WriteAnswer,
  isEarlierTry: (current: Execution) => boolean,
): Promise<'written' | 'exists'> {
  if (answer.applied) return 'written';
  if (!answer.retried) return 'exists';
  const current = await currentExecution(access, row, answer);
  return current && isEarlierTry(current) ? 'written' : 'exists';
}

const isQueued = '#status = :queued AND #fence = :noFence';
const isNotLater = '#startAtMs <= :startAtMs';
const movesOnce = '#timesMoved = if_not_exists(#timesMoved, :unmoved) + :one';

/**
 * Key: the run's. Condition: it has never been claimed or ended (a user retry waits as `retrying`), and does
 * not start later already. Cost: 1 write unit a KB, the payload included. Lost race: `lease-lost`. Returns
 * the row as moved.
 */
export async function moveQueued(
  access: TableAccess,
  ref: ExecutionRef,
  { startAtMs, cause, jobCreatedAtMs, payload, runTags, externalId }: MovedRun,
  options?: WriteOptions,
): Promise<Execution | 'lease-lost'> {
  const given: Row = { payload: payload && JSON.stringify(payload), runTags, externalId };
  const moved = assignments({
    startAtMs,
    dueAtMs: startAtMs,
    cause,
    jobCreatedAtMs,
    ...given,
  });
  const remove = Object.keys(given).filter((name) => given[name] === undefined);
  const answer = await conditionalUpdate(
    access,
    {
      Key: executionRowKey(ref),
      ConditionExpression: allOf(isQueued, isNotLater),
      UpdateExpression: updateOf({ set: [...moved.clauses, movesOnce], remove }),
      ExpressionAttributeValues: {
        ...moved.values,
        ':queued': 'queued',
        ':noFence': 0,
        ':unmoved': 0,
        ':one': 1,
      },
      ReturnValues: 'ALL_NEW',
    },
    options,
  );
  if (answer.applied) return executionOf(answer.row!);
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, ref, answer);
  return current && isMoved(current, cause) ? current : 'lease-lost';
}

const isMoved = (current: Execution, { eventId }: MovedRun['cause']): boolean =>
  current.cause?.type === 'event' && current.cause.eventId === eventId;

const hasEndedAsSeen = '#fence = :seenFence AND #finishedAtMs = :seenFinishedAtMs';
const hasItsKey = 'attribute_not_exists(#keyFreed)';

/**
 * Key: the execution's. Condition: it has ended as seen, in a status that a user may retry, and its key is
 * not free for another run. Attempts begin at 1 again, and the fence keeps rising. Cost: 1 write unit a KB of
 * the row, the payload included. Lost race: `lease-lost`, as another request retried it. If the SDK retried,
 * an earlier try of this call is recognised by its start.
 */
export async function userRetry(
  access: TableAccess,
  seen: Execution,
  retry: UserRetry,
  options?: WriteOptions,
): Promise<LeaseOutcome> {
  const before = isBefore('retrying', [seen.status]);
  const { payload, ...fields } = userRetryOf(seen, retry);
  const waiting = assignments({ ...fields, payload: payload && JSON.stringify(payload) });
  const remove = [...removedByUserRetry(retry), FAILURES_KEY.partition, FAILURES_KEY.sort];
  const answer = await conditionalUpdate(
    access,
    {
      Key: executionRowKey(seen),
      ConditionExpression: allOf(
        before.condition,
        hasEndedAsSeen,
        ...(seen.key === undefined ? [] : [hasItsKey]),
      ),
      UpdateExpression: updateOf({ set: waiting.clauses, remove }),
      ExpressionAttributeValues: {
        ...before.values,
        ...waiting.values,
        ':seenFence': seen.fence,
        ':seenFinishedAtMs': seen.finishedAtMs,
      },
    },
    options,
  );
  if (answer.applied) return 'done';
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, seen, answer);
  return current?.status === 'retrying' && current.startAtMs === retry.startAtMs ? 'done' : 'lease-lost';
}

const isSameFence = '#fence = :seenFence';

/**
 * Key: the execution's. Condition: running under the fence seen. Cost: 1 write unit a KB of the row. Lost
 * race: `lease-lost`, as the attempt has ended. A repeat requests the same again. The holder sees the request
 * at its next heartbeat, or when it would wait for a retry.
 */
export async function requestCancel(
  access: TableAccess,
  seen: Pick<Execution, 'jobKey' | 'execId' | 'fence'>,
  { userRequest, ...request }: CancelRequest,
): Promise<LeaseOutcome> {
  const { clauses, values } = assignments({ cancelRequested: request, userRequest });
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(isRunning, isSameFence),
    UpdateExpression: updateOf({ set: clauses }),
    ExpressionAttributeValues: { ':running': 'running', ':seenFence': seen.fence, ...values },
  });
  return answer.applied ? 'done' : 'lease-lost';
}

const blocks = 'attribute_exists(#blocksKey)';

/** Key: the execution's. Condition: it blocks its ordering key. Cost: 1 write unit a KB of the row. */
export async function unblock(access: TableAccess, ref: ExecutionRef): Promise<LeaseOutcome> {
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(ref),
    ConditionExpression: blocks,
    UpdateExpression: updateOf({ remove: ['blocksKey'] }),
  });
  return answer.applied || answer.retried ? 'done' : 'lease-lost';
}

const exists = 'attribute_exists(#execId)';

/** Key: the execution's. Condition: the row exists. Cost: 1 write unit a KB of the row. */
export async function markInsideRange(access: TableAccess, ref: ExecutionRef): Promise<void> {
  await conditionalUpdate(access, {
    Key: executionRowKey(ref),
    ConditionExpression: exists,
    UpdateExpression: 'SET #insideRange = :insideRange',
    ExpressionAttributeValues: { ':insideRange': true },
  });
}
