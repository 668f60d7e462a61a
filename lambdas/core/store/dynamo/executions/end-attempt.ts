import type { AttemptRecord, ExecutionResult } from '../../../domain/execution';
import type { HeartbeatOutcome, Ending, Lease, LeaseOutcome, NextAttempt } from '../../execution-store';
import type { TableAccess } from '../access';
import { allOf } from '../expressions';
import { nobodyCancels, underLease } from './lease-condition';
import { holdsRecords, endRunning, changeToEnd, changeToWait } from './end-running';

/**
 * Key: the execution's. Condition: running under one's own claim and fence. Cost: 1 write unit a KB of the row.
 * Lost race: `lease-lost`; whoever took over has the say. One's own earlier success is told by the attempt's record and
 * result (an executor and its target, who holds a token, may end an attempt at the same instant), or, where no call was made, by the end itself under one's own fence.
 */
export async function finish(
  access: TableAccess,
  lease: Lease,
  ending: Ending,
  records: readonly AttemptRecord[],
): Promise<LeaseOutcome> {
  const answer = await endRunning(access, lease, underLease(lease), changeToEnd(lease, ending), records);
  if (answer.left) return 'done';
  const { current } = answer;
  if (!current) return 'lease-lost';
  const isOwn =
    records.length > 0
      ? holdsRecords(current, records) && isSameResult(current.result, ending.result)
      : current.fence === lease.fence &&
        current.status === ending.status &&
        current.finishedAtMs === ending.finishedAtMs;
  return isOwn ? 'done' : 'lease-lost';
}

const isSameResult = (one?: ExecutionResult, other?: ExecutionResult): boolean =>
  one?.statusCode === other?.statusCode && one?.body === other?.body;

/**
 * The same, to wait for the next attempt, whose entry must have been written before. `cancel-requested` where somebody
 * wants the execution to end: then it must not go on waiting.
 */
export async function awaitRetry(
  access: TableAccess,
  lease: Lease,
  next: NextAttempt,
  records: readonly AttemptRecord[],
): Promise<HeartbeatOutcome> {
  const { condition, values } = underLease(lease);
  const held = { condition: allOf(condition, nobodyCancels), values };
  const answer = await endRunning(access, lease, held, changeToWait(next), records);
  if (answer.left) return 'done';
  const { current } = answer;
  if (current && holdsRecords(current, records)) return 'done';
  const isOwn = current?.status === 'running' && current.claimId === lease.claimId;
  return isOwn && current.cancelRequested ? 'cancel-requested' : 'lease-lost';
}
