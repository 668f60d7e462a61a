import { attemptEntry, attemptMessage, sendIfDirect } from '../core/queue/attempt-entries';
import { endExecution } from '../core/ending/end-execution';
import type { Entry } from '../core/domain/entry';
import { type Execution, isPlanned } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { type NextRecheck, type RecheckContext, RECHECK_SOON } from './recheck';
import { resend } from './resend';

/**
 * An execution that waits for an attempt. For another one than this entry's: that attempt's entry is made sure of, and
 * answers for it from then on. For this entry's own: as never claimed, without misfire or next entry.
 */
export async function recheckWaiting(
  entry: Entry,
  execution: Execution,
  job: Job | undefined,
  look: RecheckContext,
): Promise<NextRecheck | undefined> {
  const { deps } = look;
  const nowMs = deps.clock.nowMs();
  const wait = { attempt: execution.attempt, startAtMs: execution.startAtMs ?? nowMs };
  const ownAttempt = entry.kind === 'attempt' ? entry.attempt : 1;
  if (wait.attempt !== ownAttempt || wait.startAtMs > nowMs) {
    const own = await attemptEntry({ ...execution, ...wait }, deps);
    const filed = await deps.schedule.hasEntry({ ...own, checkAtMs: wait.startAtMs });
    if (!filed) await deps.schedule.putEntries([own]);
    return undefined;
  }
  if (!job || (job.status === 'paused' && isPlanned(execution.trigger))) {
    const end = { status: 'cancelled', reason: job ? 'paused' : 'deleted' } as const;
    const under = { the: 'waiting' } as const;
    const ended = await endExecution({ execution, end, under, job, by: 'sweeper' }, deps);
    return ended ? undefined : RECHECK_SOON;
  }
  const message = attemptMessage(execution, { ...wait, startAtMs: nowMs }, job);
  const unclaimed = { ...execution, orderingKey: message.orderingKey };
  return resend({ entry, job, unclaimed }, look, () => sendIfDirect(message, deps));
}
