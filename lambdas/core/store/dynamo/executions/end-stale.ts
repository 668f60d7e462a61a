import type { AttemptRecord, Execution } from '../../../domain/execution';
import type { Ending, LeaseOutcome, NextAttempt } from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { allOf } from '../expressions';
import { hasRecords } from './attempt-history';
import { changeToEnd, changeToWait, endRunning, type StatusChange } from './end-executions';
import { isNotCancelled, underLease } from './lease-condition';

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
