import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { limitEntry } from '../core/queue/attempt-entries';
import type { NextRecheck, SweeperDeps } from './recheck';

/** An execution that has not ended. */
export type OpenExecution = Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs' | 'attempt' | 'userRetries'>;

/**
 * Tells notifications of executions that are late, and sees to it that those which are not yet are rechecked
 * once they are. Executions that have ended in time never come here.
 *
 * @param soonest when the entry is to be rechecked otherwise; undefined: another entry lies ahead
 * @returns when to recheck the entry; undefined if it is settled
 */
export async function recheckLate(
  open: readonly OpenExecution[],
  job: Job | undefined,
  soonest: NextRecheck | undefined,
  deps: SweeperDeps,
): Promise<NextRecheck | undefined> {
  if (!job) return soonest;
  let next = soonest;
  for (const execution of open) {
    const lateAtMs = await deps.notify.tellLate(execution, job, deps);
    if (lateAtMs === undefined) continue;
    const pauseMs = Math.max(0, lateAtMs - deps.clock.nowMs());
    if (!next) await deps.schedule.putEntries([await limitEntry(execution, lateAtMs, deps)]);
    else if (pauseMs < next.pauseMs) next = { ...next, pauseMs };
  }
  return next;
}
