import type { StageDeps } from '../deps';
import { type Execution, isAskedFor, type Run } from '../domain/execution';
import { isPausedAt, type Job } from '../domain/job';
import { MAX_RELEASES, releasePauseMs } from '../domain/work';
import { retryAt } from './write-unended';
import type { LeaseHandle } from '../store/lease-handle';
import { countedErrands, settleWithoutCall, type SettledStatus } from './settle';

/** A claimed execution that was not begun. */
export interface Unbegun {
  execution: Execution;
  handle: LeaseHandle;
  /** As it is now; of a task, the task as a job. Undefined: it is deleted. */
  job: Job | undefined;
  run?: Run | undefined;
}

/**
 * Gives a claimed execution back before it has begun. It costs none of its attempts. It forgives none of the
 * losses before it, because it says nothing of what the work does to its workers. Order of writes, as at a
 * takeover: the entry of the next attempt → the row → its message, which goes where the job says now.
 *
 * `released`: its worker does not begin it. From the third time in a row it waits first, and after twenty it
 * has failed. `moved`: its job is of another kind, or names another queue, by now.
 */
export async function returnUnbegun(
  { execution, handle, job, run }: Unbegun,
  why: 'released' | 'moved',
  deps: StageDeps,
): Promise<SettledStatus> {
  const attempt = { execution, handle, job, run };
  const row = await deps.executions.get(execution);
  const reason = row?.cancelRequested?.reason ?? endOf(execution, job);
  if (!job || reason)
    return settleWithoutCall(attempt, { status: 'cancelled', reason: reason ?? 'deleted' }, deps);
  const releases = (execution.releases ?? 0) + (why === 'released' ? 1 : 0);
  if (releases > MAX_RELEASES) {
    const error = `workers gave it back ${releases} times in a row`;
    return settleWithoutCall(attempt, { status: 'failed', reason: 'crashed', error }, deps);
  }
  const { failures, takeovers } = execution;
  const pauseMs = why === 'released' ? releasePauseMs(releases) : 0;
  // The clock of the claim may be behind that of the offer: no attempt starts before its time.
  const startAtMs = Math.max(execution.dueAtMs, deps.clock.nowMs() + pauseMs);
  // An executor has found no errand of it. With a claim that may have one, it would never go to workers.
  const errands = countedErrands({ execution, errand: 'ended' });
  const counted = { failures, takeovers, ...(releases > 0 && { releases }), ...errands };
  const written = await retryAt(startAtMs, { execution, job, handle, counted, records: [] }, deps);
  if (written !== 'cancel-requested') return written;
  const seen = await deps.executions.get(execution);
  const asked = seen?.cancelRequested?.reason ?? 'cancelled-by-user';
  return settleWithoutCall(attempt, { status: 'cancelled', reason: asked }, deps);
}

/** Why it does not go on; undefined: it does. */
function endOf(execution: Execution, job: Job | undefined): 'deleted' | 'paused' | undefined {
  if (!job) return 'deleted';
  return isPausedAt(job, execution.dueAtMs) && !isAskedFor(execution) ? 'paused' : undefined;
}
