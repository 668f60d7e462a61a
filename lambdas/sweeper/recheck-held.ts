import { attemptEntry, attemptMessage, recheckEntryAt, sendIfDirect } from '../core/queue/attempt-entries';
import { endExecution } from '../core/ending/end-execution';
import { isHeldBy, isOfDeletedJob, nextHeldCheckMs } from '../core/domain/delayed-run';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { type NextRecheck, RECHECK_SOON, type SweeperDeps } from './recheck';

/**
 * Holds a delayed run that is due while its job is paused. Order of writes: the entry of its next recheck →
 * the row.
 */
export async function suspendWaiting(
  execution: Execution,
  deps: SweeperDeps,
): Promise<NextRecheck | undefined> {
  const heldAtMs = deps.clock.nowMs();
  const checkAtMs = nextHeldCheckMs(heldAtMs, heldAtMs);
  await deps.schedule.putEntries([await recheckEntryAt(execution, checkAtMs, deps)]);
  return (await deps.executions.suspend(execution, heldAtMs)) === 'done' ? undefined : RECHECK_SOON;
}

/**
 * A held run: it starts once its job is resumed, and never before its due time. It ends as skipped if the job
 * is deleted. Another entry of it lies ahead, unless `undefined` is not returned.
 */
export async function recheckHeld(
  execution: Execution,
  job: Job | undefined,
  deps: SweeperDeps,
): Promise<NextRecheck | undefined> {
  const nowMs = deps.clock.nowMs();
  if (!job || isOfDeletedJob(execution, job)) {
    const end = { status: 'skipped', reason: 'deleted' } as const;
    const precondition = { kind: 'waiting' } as const;
    const ended = await endExecution({ execution, end, precondition, job, by: 'sweeper' }, deps);
    return ended ? undefined : RECHECK_SOON;
  }
  if (isHeldBy(execution, job)) {
    const checkAtMs = nextHeldCheckMs(execution.heldAtMs!, nowMs);
    await deps.schedule.putEntries([await recheckEntryAt(execution, checkAtMs, deps)]);
    return undefined;
  }
  const startAtMs = Math.max(nowMs, execution.dueAtMs);
  const { attempt } = execution;
  await deps.schedule.putEntries([await attemptEntry({ ...execution, startAtMs }, deps)]);
  if ((await deps.executions.releaseHeld(execution, startAtMs)) !== 'done') return RECHECK_SOON;
  const timesMoved = (execution.timesMoved ?? 0) + 1;
  await sendIfDirect(attemptMessage({ ...execution, timesMoved }, { attempt, startAtMs }, job), deps);
  return undefined;
}
