import { attemptEntry, attemptMessage, recheckEntryAt, sendIfDirect } from '../core/queue/attempt-entries';
import { endExecution } from '../core/ending/end-execution';
import type { Entry } from '../core/domain/entry';
import { isHeldBy, isOfDeletedJob, nextHeldCheckMs } from '../core/domain/eligibility';
import { type Execution, isAskedFor } from '../core/domain/execution';
import { isPausedAt, type Job } from '../core/domain/job';
import { type NextRecheck, type RecheckContext, RECHECK_SOON, type SweeperDeps } from './recheck';
import { recheckOffered, ticketsOf } from './recheck-offered';
import { resend } from './resend';

/** Whether the entry is that of the attempt that the execution waits for. */
const isOwnAttempt = (entry: Entry, { attempt, userRetries }: Execution): boolean =>
  entry.kind === 'attempt'
    ? attempt === entry.attempt && userRetries === entry.userRetries
    : attempt === 1 && userRetries === undefined;

/**
 * An execution that waits for an attempt. If it is another attempt than this entry's, that attempt's entry is
 * ensured, and answers for it from then on. If it is this entry's own, the message is sent again, without
 * misfire or next entry.
 */
export async function recheckWaiting(
  entry: Entry,
  execution: Execution,
  job: Job | undefined,
  context: RecheckContext,
): Promise<NextRecheck | undefined> {
  const { deps } = context;
  const nowMs = deps.clock.nowMs();
  if (execution.heldAtMs !== undefined) return recheckHeld(execution, job, deps);
  const wait = { attempt: execution.attempt, startAtMs: execution.startAtMs ?? nowMs };
  if (!isOwnAttempt(entry, execution) || wait.startAtMs > nowMs) {
    const own = await attemptEntry({ ...execution, ...wait }, deps);
    const filed = await deps.schedule.hasEntry({ ...own, checkAtMs: wait.startAtMs });
    if (!filed) await deps.schedule.putEntries([own]);
    return undefined;
  }
  const isGone = !job || isOfDeletedJob(execution, job);
  if (!isGone && isHeldBy(execution, job)) return suspendWaiting(execution, job, deps);
  const isAsked = isAskedFor(execution);
  if (isGone || (isPausedAt(job, execution.dueAtMs) && !isAsked)) {
    const status = isAsked || execution.fence > 0 ? 'cancelled' : 'skipped';
    const end = { status, reason: isGone ? 'deleted' : 'paused' } as const;
    const precondition = { kind: 'waiting' } as const;
    const ended = await endExecution({ execution, end, precondition, job, by: 'sweeper' }, deps);
    return ended ? undefined : RECHECK_SOON;
  }
  const offered = await ticketsOf([{ ...execution, row: execution }], job, deps);
  if (offered.size > 0) return recheckOffered(entry, offered, job, deps);
  const message = attemptMessage(execution, { ...wait, startAtMs: nowMs }, job);
  const { orderingKey, concurrencyKey, priority, pool } = message;
  const unclaimed = { ...execution, orderingKey, concurrencyKey };
  // It waits in the lane of its message, which need not be that of its job.
  const sent = { ...job, priority, pool };
  return resend({ entry, job: sent, unclaimed }, context, () => sendIfDirect(message, deps));
}

/**
 * Holds a delayed run that is due while its job is paused. Order of writes: the entry of its next recheck →
 * the row.
 */
async function suspendWaiting(
  execution: Execution,
  job: Job,
  deps: SweeperDeps,
): Promise<NextRecheck | undefined> {
  const heldAtMs = deps.clock.nowMs();
  const checkAtMs = nextHeldCheckMs(heldAtMs, heldAtMs, job);
  await deps.schedule.putEntries([await recheckEntryAt(execution, checkAtMs, deps)]);
  return (await deps.executions.suspend(execution, heldAtMs)) === 'done' ? undefined : RECHECK_SOON;
}

/**
 * A held run: it starts once its job is resumed, and never before its due time. It ends as skipped if the job
 * is deleted. Another entry of it lies ahead, unless `undefined` is not returned.
 */
async function recheckHeld(
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
    const checkAtMs = nextHeldCheckMs(execution.heldAtMs!, nowMs, job);
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
