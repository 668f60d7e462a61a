import type { AttemptRecord, Execution } from '../../../domain/execution';
import type { Ending, LeaseOutcome, NextAttempt } from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { allOf } from '../expressions';
import { nobodyCancels, underLease } from './lease-condition';
import { holdsRecords, endRunning, type RunningChange, changeToEnd, changeToWait } from './end-running';

/**
 * Key: the execution's. Condition: running, with claim, fence and heartbeat as seen, and nobody has asked to cancel
 * since: one heartbeat in between and the lease stays where it is. Cost: 1 write unit a KB of the row.
 * Lost race: `lease-lost`, be it to the holder or to another sweeper. Two sweepers may write equal records, so one's own
 * is looked for only where the SDK tried again.
 */
export const takeOver = (
  access: TableAccess,
  seen: Execution,
  next: NextAttempt,
  lost: readonly AttemptRecord[],
): Promise<LeaseOutcome> => endStaleAttempt(access, seen, changeToWait(next), lost);

/** The same, ending the execution. */
export const endStale = (
  access: TableAccess,
  seen: Execution,
  ending: Ending,
  lost: readonly AttemptRecord[],
): Promise<LeaseOutcome> => endStaleAttempt(access, seen, changeToEnd(seen, ending), lost);

async function endStaleAttempt(
  access: TableAccess,
  seen: Execution,
  step: RunningChange,
  lost: readonly AttemptRecord[],
): Promise<LeaseOutcome> {
  const answer = await endRunning(access, seen, asSeen(seen), step, lost);
  if (answer.left) return 'done';
  const isOwn = answer.retried && answer.current !== undefined && holdsRecords(answer.current, lost);
  return isOwn ? 'done' : 'lease-lost';
}

const sameHeartbeat = '#heartbeatAtMs = :seenHeartbeatAtMs';

function asSeen({ claimId, fence, heartbeatAtMs, execId, cancelRequested }: Execution): {
  condition: string;
  values: Row;
} {
  if (claimId === undefined || heartbeatAtMs === undefined) {
    throw new Error(`execution ${execId} was not running when it was seen: there is no lease to take`);
  }
  const held = underLease({ claimId, fence });
  return {
    condition: allOf(held.condition, sameHeartbeat, ...(cancelRequested ? [] : [nobodyCancels])),
    values: { ...held.values, ':seenHeartbeatAtMs': heartbeatAtMs },
  };
}
