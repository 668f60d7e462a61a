import type { HeldExecution, StageDeps } from '../../deps';
import type { Run } from '../../domain/execution';
import type { TakenByRun } from '../../domain/to-deliver';
import { isAlive } from '../../domain/workflow/task-eligibility';
import { runOf } from '../../domain/workflow/task-id';
import { resendTask } from './resend-task';

/**
 * The run is paused: its task waits without an entry, until the run is resumed. If that has happened
 * meanwhile, the resumption has not seen this row, so its message is sent here.
 */
export async function requeuePausedTask(
  { execution, handle }: HeldExecution,
  { run }: Run,
  deps: StageDeps,
): Promise<TakenByRun> {
  const { attempt, failures, takeovers } = execution;
  const next = { attempt: attempt + 1, startAtMs: deps.clock.nowMs(), failures, takeovers };
  const outcome = await handle.write(() => deps.executions.awaitRetry(handle.lease, next, []));
  if (outcome === 'cancel-requested') return { end: { status: 'cancelled', reason: 'stopped' } };
  if (outcome !== 'done') return outcome;
  const now = await deps.executions.get({ jobKey: execution.jobKey, execId: runOf(execution.execId) });
  if (!isAlive(now) || now.run.heldAtMs === run.heldAtMs) return 'retrying';
  await resendTask({ ...execution, ...next, status: 'retrying' }, now, deps);
  return 'retrying';
}
