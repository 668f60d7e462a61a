import type { AttemptRecord, Execution, ExecutionResult, Run } from '../../../domain/execution';
import { type ExecutionStatus, statusesBefore } from '../../../domain/transitions';
import {
  type Ending,
  type ExecutionRef,
  type HeartbeatOutcome,
  holdsLease,
  type Lease,
  type LeaseOutcome,
  type NextAttempt,
} from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import {
  appendRecords,
  executionRowKey,
  hasRecords,
  isBefore,
  isNotCancelled,
  isRunning,
  underLease,
} from './execution-row';
import { currentExecution, failureKeyOf } from './read-executions';

/** A new status of a row, the attributes that come with it, and those that go. */
interface StatusChange {
  to: ExecutionStatus;
  set: Row;
  remove: readonly string[];
}

/** Retention begins with the end. Reason and result of an earlier end, before a user retry, are removed. */
const changeToEnd = (ref: ExecutionRef, { status, ...ending }: Ending): StatusChange => ({
  to: status,
  set: { status, ...ending, ...failureKeyOf(ref, status) },
  remove: [
    'claimId',
    'claimedAtMs',
    'startAtMs',
    'delegatedTo',
    'worker',
    'releases',
    'cancelRequested',
    'heldAtMs',
    ...(ending.reason === undefined ? ['reason'] : []),
    ...(ending.result === undefined ? ['result'] : []),
    ...(ending.errands === undefined ? [] : ['openErrand']),
  ],
});

/** An execution that waits for an attempt has no retention. */
const changeToWait = (next: NextAttempt): StatusChange => ({
  to: 'retrying',
  set: { status: 'retrying', ...next },
  remove: [
    'claimId',
    'claimedAtMs',
    'heartbeatAtMs',
    'delegatedTo',
    'worker',
    'cancelRequested',
    'expiresAtSec',
    ...(next.releases === undefined ? ['releases'] : []),
    ...(next.errands === undefined ? [] : ['openErrand']),
    // It has called nothing: its next claim is its first.
    ...(next.heldAtMs === undefined ? [] : ['startedAtMs', 'latenessMs', 'occupiesJob', 'concurrencyKey']),
  ],
});

/**
 * Ends the running attempt: leaves `running` under a condition of `underLease`, and appends the attempt's
 * records.
 *
 * @returns if the condition failed, the row as it is; `current` is undefined if the row is gone
 * @throws if no transition leads from `running` to the new status
 */
async function endRunning(
  access: TableAccess,
  ref: ExecutionRef,
  { condition, values }: { condition: string; values: Row },
  change: StatusChange,
  records: readonly AttemptRecord[],
): Promise<{ applied: true } | { applied: false; current?: Execution; retried: boolean }> {
  if (!statusesBefore(change.to).includes('running'))
    throw new Error(`no transition leads from running to ${change.to}`);
  const changed = assignments(change.set);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(ref),
    ConditionExpression: condition,
    UpdateExpression: updateOf({
      set: records.length > 0 ? [...changed.clauses, appendRecords] : changed.clauses,
      remove: change.remove,
    }),
    ExpressionAttributeValues: {
      ...values,
      ...changed.values,
      ...(records.length > 0 && { ':records': records }),
    },
  });
  if (answer.applied) return answer;
  return {
    applied: false,
    current: await currentExecution(access, ref, answer),
    retried: answer.retried,
  };
}

/**
 * Key: the execution's. Condition: running under the caller's claim and fence.
 * Cost: 1 write unit a KB of the row.
 * Lost race: `lease-lost`; the process that took over decides. An earlier try of this call is recognised by
 * the attempt's record and result. The record alone is not enough: the executor and the target may end an
 * attempt at the same instant. If no call was made, the end itself under the caller's fence decides.
 */
export async function finish(
  access: TableAccess,
  lease: Lease,
  ending: Ending,
  records: readonly AttemptRecord[],
): Promise<LeaseOutcome> {
  const answer = await endRunning(access, lease, underLease(lease), changeToEnd(lease, ending), records);
  if (answer.applied) return 'done';
  const { current } = answer;
  if (!current) return 'lease-lost';
  const isEarlierTry =
    records.length > 0
      ? hasRecords(current, records) && isSameResult(current.result, ending.result)
      : current.fence === lease.fence &&
        current.status === ending.status &&
        current.finishedAtMs === ending.finishedAtMs;
  return isEarlierTry ? 'done' : 'lease-lost';
}

/** An attempt that was given back has no records: the wait under the caller's fence decides. */
const isEarlierWait = (
  current: Execution,
  { lease, next }: { lease: Lease; next: NextAttempt },
  records: readonly AttemptRecord[],
): boolean =>
  records.length > 0
    ? hasRecords(current, records)
    : current.fence === lease.fence &&
      current.status === 'retrying' &&
      current.attempt === next.attempt &&
      current.startAtMs === next.startAtMs;

const isSameResult = (one?: ExecutionResult, other?: ExecutionResult): boolean =>
  one?.statusCode === other?.statusCode && one?.body === other?.body;

/**
 * As `finish`, but the execution then waits for the next attempt. The entry of that attempt must be written
 * before.
 * `cancel-requested`: the lease holds, but the execution shall end, so it must not go on waiting.
 */
export async function awaitRetry(
  access: TableAccess,
  lease: Lease,
  next: NextAttempt,
  records: readonly AttemptRecord[],
): Promise<HeartbeatOutcome> {
  const { condition, values } = underLease(lease);
  const uncancelled = { condition: allOf(condition, isNotCancelled), values };
  const answer = await endRunning(access, lease, uncancelled, changeToWait(next), records);
  if (answer.applied) return 'done';
  const { current } = answer;
  if (!current) return 'lease-lost';
  if (isEarlierWait(current, { lease, next }, records)) return 'done';
  return holdsLease(current, lease) && current.cancelRequested ? 'cancel-requested' : 'lease-lost';
}

/**
 * Key: the execution's. Condition: running, with claim, fence and heartbeat as seen, and no cancel request
 * since: after one heartbeat in between, the lease stays where it is. Cost: 1 write unit a KB of the row.
 * Lost race: `lease-lost`, to the holder or to another sweeper. Two sweepers may write equal records, so an
 * earlier try of this call is recognised by its records only if the SDK retried.
 */
export const takeOver = (
  access: TableAccess,
  seen: Execution,
  next: NextAttempt,
  lost: readonly AttemptRecord[],
): Promise<LeaseOutcome> => endStaleAttempt(access, seen, changeToWait(next), lost);

/** As `takeOver`, but ends the execution. */
export const endStale = (
  access: TableAccess,
  seen: Execution,
  ending: Ending,
  lost: readonly AttemptRecord[],
): Promise<LeaseOutcome> => endStaleAttempt(access, seen, changeToEnd(seen, ending), lost);

async function endStaleAttempt(
  access: TableAccess,
  seen: Execution,
  change: StatusChange,
  lost: readonly AttemptRecord[],
): Promise<LeaseOutcome> {
  const answer = await endRunning(access, seen, asSeen(seen), change, lost);
  if (answer.applied) return 'done';
  const isEarlierTry = answer.retried && answer.current !== undefined && hasRecords(answer.current, lost);
  return isEarlierTry ? 'done' : 'lease-lost';
}

const isSameHeartbeat = '#heartbeatAtMs = :seenHeartbeatAtMs';

function asSeen({ claimId, fence, heartbeatAtMs, execId, cancelRequested }: Execution): {
  condition: string;
  values: Row;
} {
  if (claimId === undefined || heartbeatAtMs === undefined) {
    throw new Error(`execution ${execId} was not running when it was seen: there is no lease to take over`);
  }
  const { condition, values } = underLease({ claimId, fence });
  return {
    condition: allOf(condition, isSameHeartbeat, ...(cancelRequested ? [] : [isNotCancelled])),
    values: { ...values, ':seenHeartbeatAtMs': heartbeatAtMs },
  };
}

const isRunAsSeen = '#fence = :seenFence AND #run.#moves = :seenMoves';

/**
 * Key: the run's. Condition: running under the fence seen, and no mark, stop or release since. So an end
 * never overtakes a task that was opened again. Cost: 1 write unit a KB of the row.
 * Lost race: `lease-lost`; whatever moved the run goes on with it. If the SDK retried, an earlier try of this
 * call is recognised by its status and time.
 */
export async function endRun(access: TableAccess, seen: Run, ending: Ending): Promise<LeaseOutcome> {
  const condition = allOf(isRunning, isRunAsSeen);
  const values = { ':running': 'running', ':seenFence': seen.fence, ':seenMoves': seen.run.moves };
  const answer = await endRunning(access, seen, { condition, values }, changeToEnd(seen, ending), []);
  if (answer.applied) return 'done';
  const { current, retried } = answer;
  const isEarlierTry =
    retried && current?.status === ending.status && current.finishedAtMs === ending.finishedAtMs;
  return isEarlierTry ? 'done' : 'lease-lost';
}

const isWaitAsSeen = '#attempt = :seenAttempt AND #fence = :seenFence';

/**
 * Key: the execution's. Condition: it waits, in the status and for the attempt seen, under the fence seen.
 * Cost: 1 write unit a KB of the row. Lost race: `lease-lost`, as another process has claimed or ended the
 * attempt. If the SDK retried, an earlier try of this call is recognised by its status and time.
 */
export async function endWaiting(
  access: TableAccess,
  seen: Execution,
  ending: Ending,
): Promise<LeaseOutcome> {
  const before = isBefore(ending.status, [seen.status]);
  const change = changeToEnd(seen, ending);
  const { clauses, values } = assignments(change.set);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(before.condition, isWaitAsSeen),
    UpdateExpression: updateOf({ set: clauses, remove: change.remove }),
    ExpressionAttributeValues: {
      ...before.values,
      ...values,
      ':seenAttempt': seen.attempt,
      ':seenFence': seen.fence,
    },
  });
  if (answer.applied) return 'done';
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, seen, answer);
  const isEarlierTry = current?.status === ending.status && current.finishedAtMs === ending.finishedAtMs;
  return isEarlierTry ? 'done' : 'lease-lost';
}
