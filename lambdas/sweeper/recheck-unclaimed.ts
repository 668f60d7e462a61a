import { parseCompactInstant } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { dispatch } from '../core/dispatch/dispatch';
import { dispatchAhead } from '../core/dispatch/dispatch-ahead';
import { ensureNextEntry, planForLate } from '../core/dispatch/next-entry';
import type { OccurrenceEntry } from '../core/domain/entry';
import { monitorTargetOf } from '../core/domain/entry-planning';
import { entryValidity, outdatedOccurrence, reasonNotRun } from '../core/domain/entry-validity';
import type { Execution } from '../core/domain/execution';
import type { Reason } from '../core/domain/reason';
import { concurrencyKeyOf, type Job } from '../core/domain/job';
import { planResend } from '../core/domain/plan-entry';
import { claimedThroughMs, mayHaveBeenSent, oldestClaimedMs, WRITTEN_WITHIN_MS } from '../core/domain/timing';
import { coveringRow } from '../core/history/coverage';
import { firstRefusal } from '../core/history/first-refusal';
import { endedByMs } from '../core/history/job-then';
import { recordInsideRange, recordSkippedOccurrence } from '../core/ending/skip-ranges';
import type { ExecutionRef } from '../core/store/execution-store';
import { dispatchReplanned } from './dispatch-replanned';
import { type NextRecheck, type RecheckContext, RECHECK_SOON, recheckLater } from './recheck';
import { type MayBeOffered, recheckOffered, sooner, ticketsOf } from './recheck-offered';
import { resend } from './resend';

/**
 * Rechecks planned occurrences without a row of their own. If the entry is current, they are dispatched
 * again, misfire and next entry included. If it is not, those that fell due before the job changed are
 * recorded as skipped. If an executor has claimed one meanwhile, or may still do so, the entry is rechecked.
 * If that executor dies, no other entry covers the execution.
 *
 * @param withoutRow the occurrences' execIds, ascending
 * @returns when to recheck the entry again; undefined if it is settled
 */
export async function recheckUnclaimed(
  entry: OccurrenceEntry,
  withoutRow: readonly string[],
  job: Job | undefined,
  context: RecheckContext,
): Promise<NextRecheck | undefined> {
  if (job && monitorTargetOf(job)) return context.deps.recheckMonitored(entry, withoutRow, job, context.deps);
  const { uncovered, inRange, hasOwnRow } = await coverageOf(withoutRow, entry.jobKey, context.deps);
  const next = await recheckUncovered(entry, uncovered, job, context);
  const isOutdated = entryValidity(entry, job) !== 'current';
  const isClaimed = isOutdated && (await refuseClaims(inRange, job, context.deps));
  if (hasOwnRow || isClaimed) return RECHECK_SOON;
  return next ?? (isOutdated ? undefined : afterLastClaim(entry, inRange, context.deps));
}

/**
 * A claim that is on its way does not see a skipped range. A later recheck finds the row that it makes. Its
 * executor looks for the range, and at the occurrence's age, before the claim.
 */
function afterLastClaim(
  { throughMs }: OccurrenceEntry,
  inRange: ReadonlyMap<string, Execution>,
  { clock, retentionDays }: StageDeps,
): NextRecheck | undefined {
  const recordedAtMs = Math.max(...[...inRange.values()].map(({ finishedAtMs = 0 }) => finishedAtMs));
  const lastMs = Math.min(recordedAtMs, claimedThroughMs(throughMs, retentionDays));
  const pauseMs = lastMs + WRITTEN_WITHIN_MS - clock.nowMs();
  return pauseMs > 0 ? { pauseMs, rechecks: 0 } : undefined;
}

/**
 * Gives occurrences that a skipped range covers rows of their own. Their job has changed after their messages
 * were sent. A claim that is still on its way finds such a row. It does not see the range, and would leave an
 * execution that no entry covers.
 *
 * @returns whether a claim was faster
 */
async function refuseClaims(
  inRange: ReadonlyMap<string, Execution>,
  job: Job | undefined,
  deps: StageDeps,
): Promise<boolean> {
  const orderingKey = job?.orderingKey ?? undefined;
  let isClaimed = false;
  for (const [execId, range] of inRange) {
    const occurrence = { dueAtMs: parseCompactInstant(execId), orderingKey };
    if (!(await recordInsideRange(range, occurrence, deps))) isClaimed = true;
  }
  return isClaimed;
}

async function recheckUncovered(
  entry: OccurrenceEntry,
  uncovered: readonly string[],
  job: Job | undefined,
  context: RecheckContext,
): Promise<NextRecheck | undefined> {
  const { deps } = context;
  const unclaimed = await skipOutlived(uncovered, entry.jobKey, job, deps);
  const [first] = unclaimed;
  if (!job || entryValidity(entry, job) !== 'current') return recheckOutdated(entry, unclaimed, job, context);
  if (first === undefined) {
    await ensureNextEntry(entry, job, deps);
    return undefined;
  }
  const waiting = unclaimed.map((execId) => waitingOccurrence(entry.jobKey, execId));
  const offered = await ticketsOf(waiting, job, deps);
  // As a claim does, an offer proves the next entry for its own revision alone.
  if ([...offered.values()].some(({ message }) => message.revision !== entry.revision))
    await ensureNextEntry(entry, job, deps);
  const inQueue = offered.size > 0 ? await recheckOffered(entry, offered, job, deps) : undefined;
  const lost = waiting.find((one) => !offered.has(one));
  if (!lost) return inQueue;
  const next = await resendOccurrence(entry, lost, job, offered.size > 0, context);
  return inQueue ? sooner(inQueue, next) : next;
}

const waitingOccurrence = (jobKey: string, execId: string): MayBeOffered => ({
  jobKey,
  execId,
  dueAtMs: parseCompactInstant(execId),
  attempt: 1,
});

/** @param hasOffered others of the entry are offered to workers, so no misfire policy applies to it */
function resendOccurrence(
  entry: OccurrenceEntry,
  { execId, dueAtMs }: MayBeOffered,
  job: Job,
  hasOffered: boolean,
  context: RecheckContext,
): Promise<NextRecheck> {
  const { deps } = context;
  const waiting = {
    jobKey: entry.jobKey,
    execId,
    dueAtMs,
    orderingKey: job.orderingKey ?? undefined,
    concurrencyKey: concurrencyKeyOf(job),
  };
  return resend({ entry, job, unclaimed: waiting }, context, async (why) => {
    const plan = why === 'long' || hasOffered ? planResend : await planForLate(entry, job, deps);
    const { next, refused } = await dispatch([{ entry, job, plan }], deps, context.pacer);
    if (refused.has(entry)) throw refused.get(entry);
    const following = next.get(entry);
    if (following) await dispatchAhead(following, job, deps);
  });
}

/** Those that no skipped range covers, the ranges over the others, and whether any has a row by now. */
async function coverageOf(
  withoutRow: readonly string[],
  jobKey: string,
  deps: StageDeps,
): Promise<{ uncovered: string[]; inRange: Map<string, Execution>; hasOwnRow: boolean }> {
  const uncovered: string[] = [];
  const inRange = new Map<string, Execution>();
  let hasOwnRow = false;
  for (const execId of withoutRow) {
    const row = await coveringRow({ jobKey, dueAtMs: parseCompactInstant(execId) }, deps);
    if (!row) uncovered.push(execId);
    else if (row.execId === execId) hasOwnRow = true;
    else inRange.set(execId, row);
  }
  return { uncovered, inRange, hasOwnRow };
}

/**
 * Executors claim nothing that is nearly as old as retention: records it as skipped, and returns the rest.
 */
async function skipOutlived(
  execIds: readonly string[],
  jobKey: string,
  job: Job | undefined,
  deps: StageDeps,
): Promise<readonly string[]> {
  const oldestMs = oldestClaimedMs(deps.clock.nowMs(), deps.retentionDays);
  const isOutlived = (execId: string) => parseCompactInstant(execId) < oldestMs;
  for (const execId of execIds.filter(isOutlived))
    await recordSkipped({ jobKey, execId }, 'misfire', job, deps);
  return execIds.filter((execId) => !isOutlived(execId));
}

/** @returns false if it has a row of its own by now */
function recordSkipped(
  { jobKey, execId }: ExecutionRef,
  reason: Reason,
  job: Job | undefined,
  deps: StageDeps,
): Promise<boolean> {
  const orderingKey = job?.orderingKey ?? undefined;
  const occurrence = { jobKey, dueAtMs: parseCompactInstant(execId), orderingKey };
  return recordSkippedOccurrence(occurrence, reason, 'sweeper', deps);
}

/**
 * The job has changed, or is gone: what needs a record gets one, and what was replanned is dispatched.
 * @returns when to recheck the entry again: soon, if a claim was faster than a record
 */
async function recheckOutdated(
  entry: OccurrenceEntry,
  unclaimed: readonly string[],
  job: Job | undefined,
  context: RecheckContext,
): Promise<NextRecheck | undefined> {
  const { deps } = context;
  const replanned: number[] = [];
  let next: NextRecheck | undefined;
  let endedMs: number | undefined;
  for (const execId of unclaimed) {
    const dueAtMs = parseCompactInstant(execId);
    const outdated = outdatedOccurrence(dueAtMs, job, deps);
    if (outdated.is === 'replanned') replanned.push(dueAtMs);
    if (outdated.is === 'planned') next ??= recheckLater(entry);
    if (outdated.is !== 'skipped') continue;
    // Nothing takes an entry out of a pack. A later change may come when it is due, long after its revision.
    endedMs ??= await endedByMs(entry, job, deps);
    if (!mayHaveBeenSent(dueAtMs, endedMs, deps.horizonMs)) continue;
    const reason = (await reasonThen(entry, dueAtMs, job, deps)) ?? outdated.reason;
    const recorded = await recordSkipped({ jobKey: entry.jobKey, execId }, reason, job, deps);
    if (!recorded) next = RECHECK_SOON;
  }
  const [firstMs] = replanned;
  if (!job || firstMs === undefined) return next;
  await dispatchReplanned({ firstMs, lastMs: replanned.at(-1)! }, job, context);
  return next ?? recheckLater(entry);
}

/** What an earlier state of the job says. A job had missed before a pause what was late by then. */
async function reasonThen(
  { jobKey, revision }: OccurrenceEntry,
  dueAtMs: number,
  job: Job | undefined,
  deps: StageDeps,
): Promise<Reason | undefined> {
  const first = await firstRefusal({ jobKey, revision, dueAtMs, trigger: 'schedule' }, job, deps);
  if (first?.reason !== 'paused' || !first.state.definition) return first?.reason;
  const { status, atMs: pausedAtMs, definition } = first.state;
  return reasonNotRun(dueAtMs, { ...definition, status, pausedAtMs });
}
