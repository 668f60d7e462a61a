import { jobKeyOf } from '../../core/contracts/tables';
import { stateOf } from '../../core/http/kept-state';
import type { Job } from '../../core/domain/job';
import type { Removal } from '../../core/domain/job-state';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { withinDeadline, type WriteDeadline } from '../http/write-deadline';
import type { ApiDeps } from '../request';

/**
 * Keeps the state that a change is about to replace, or a delete to remove. Call it before that write, so
 * that no state is lost. The row does no harm if the write then fails or loses a race. Its state is still the
 * job's then, or the request that won has kept it too. `removed` counts only if no later state follows.
 */
export async function keepState(
  current: Job,
  moment: WriteDeadline,
  deps: Pick<ApiDeps, 'changes' | 'clock' | 'log' | 'retentionDays'>,
  removed?: Removal,
): Promise<void> {
  const state = {
    ...stateOf(current),
    ...(removed && { removed }),
    expiresAtSec: expiresAtSecAfter(moment.nowMs, deps.retentionDays),
  };
  await withinDeadline(moment, (options) => deps.changes.put(jobKeyOf(current), state, options), deps);
}
