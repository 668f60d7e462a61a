import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Job } from '../domain/job';
import type { KeptState } from '../domain/job-state';
import { expiresAtSecAfter } from '../domain/timing';
import { stateOf } from '../domain/kept-state';
import type { ChangeStore } from '../store/change-store';
import { withinDeadline, type WriteDeadline } from '../store/write-deadline';

/**
 * Keeps the state that a change is about to replace, or a delete to remove. Call it before that write, so
 * that no state is lost. The row does no harm if the write then fails or loses a race. Its state is still the
 * job's then, or the request that won has kept it too. So `end` counts only if the next state fits it.
 */
export async function keepState(
  current: Job,
  moment: WriteDeadline,
  deps: Pick<StageDeps, 'clock' | 'log' | 'retentionDays'> & { changes: ChangeStore },
  end: Pick<KeptState, 'removed' | 'plannedUntilMs'> = {},
): Promise<void> {
  const state = {
    ...stateOf(current),
    ...end,
    expiresAtSec: expiresAtSecAfter(moment.nowMs, deps.retentionDays),
  };
  await withinDeadline(moment, (options) => deps.changes.put(jobKeyOf(current), state, options), deps);
}
