import type { StageDeps } from '../core/deps';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { isOverdue } from '../core/domain/workflow/child-row';
import { endExecution } from '../core/ending/end-execution';

/** A child may be claimed, or may wait again, while it is read. */
const TRIES = 3;

/**
 * Ends a child that has taken longer than its task allows. One that waits is cancelled. For one that runs,
 * cancellation is requested: its executor, or the recheck of its run, obeys. The end fails the task.
 *
 * @returns the execution as it is after that; undefined: it is gone
 */
export async function endIfOverdue(
  seen: Execution,
  job: Job | undefined,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const reason = 'timed-out';
  const nowMs = deps.clock.nowMs();
  let child: Execution | undefined = seen;
  for (let tries = 0; tries < TRIES; tries++) {
    if (!child || !isOverdue(child, nowMs) || child.cancelRequested) break;
    if (child.status === 'running') await deps.executions.requestCancel(child, { reason, atMs: nowMs });
    else {
      const under = { the: 'waiting' } as const;
      const end = { status: 'cancelled', reason } as const;
      await endExecution({ execution: child, end, under, job, by: 'sweeper' }, deps);
    }
    child = await deps.executions.get(child);
  }
  return child;
}
