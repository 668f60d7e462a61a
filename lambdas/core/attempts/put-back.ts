import type { StageDeps } from '../deps';
import type { Execution, Run } from '../domain/execution';
import { isAlive } from '../domain/workflow/task-eligibility';
import { runOf } from '../domain/workflow/task-id';
import { resendTask } from '../ending/runs/resend-task';
import type { LeaseHandle } from '../store/lease-handle';
import { settleWithoutCall, type SettledStatus } from './settle';

/**
 * The run is paused: its task waits without an entry, until the run is resumed. If that has happened
 * meanwhile, the resumption has not seen this row, so its message is sent here.
 */
export async function putBack(
  execution: Execution,
  handle: LeaseHandle,
  { run }: Run,
  deps: StageDeps,
): Promise<SettledStatus> {
  const { attempt, failures, takeovers } = execution;
  const next = { attempt: attempt + 1, startAtMs: deps.clock.nowMs(), failures, takeovers };
  const outcome = await handle.write(() => deps.executions.awaitRetry(handle.lease, next, []));
  if (outcome === 'cancel-requested') {
    const end = { status: 'cancelled', reason: 'stopped' } as const;
    return settleWithoutCall({ execution, job: undefined, handle }, end, deps);
  }
  if (outcome !== 'done') return outcome;
  const now = await deps.executions.get({ jobKey: execution.jobKey, execId: runOf(execution.execId) });
  if (!isAlive(now) || now.run.heldAtMs === run.heldAtMs) return 'retrying';
  await resendTask({ ...execution, ...next, status: 'retrying' }, now, deps);
  return 'retrying';
}
