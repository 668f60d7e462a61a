import type { AttemptRecord, Execution, ExecutionResult } from '../../../domain/execution';
import {
  type Ending,
  type HeartbeatOutcome,
  holdsLease,
  type Lease,
  type LeaseOutcome,
  type NextAttempt,
} from '../../execution-store';
import type { TableAccess } from '../access';
import { allOf } from '../expressions';
import { hasRecords } from './attempt-history';
import { changeToEnd, changeToWait, endRunning } from './end-executions';
import { isNotCancelled, underLease } from './lease-condition';

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
