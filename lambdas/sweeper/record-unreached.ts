import { MINUTE_MS } from '../core/clock/clock';
import type { StageDeps } from '../core/deps';
import { minuteOf, minuteStartMs } from '../core/contracts/tables';
import { hasPendingEntry } from '../core/dispatch/first-entry';
import { missingNextEntry } from '../core/dispatch/next-entry';
import type { OccurrenceEntry } from '../core/domain/entry';
import { entryAfter, runsThroughEntry, scheduleOf } from '../core/domain/entry-planning';
import type { PlanningJob } from '../core/domain/eligibility';
import { missedBeforeMs } from '../core/domain/entry-validity';
import type { Reason } from '../core/domain/reason';
import { cameBackAs } from '../core/domain/job-state';
import { type Job, plansSinceMs } from '../core/domain/job';
import { plannedSearch } from '../core/domain/planned-times';
import { shardOf } from '../core/domain/shard';
import { oldestClaimedMs } from '../core/domain/timing';
import { recordSkippedRange } from '../core/ending/skip-ranges';
import { type JobStateThen, jobThen, statesOf } from '../core/history/job-then';
import { nthLastOccurrence, nthOccurrence } from '../core/schedule/nth-occurrence';
import type { Schedule } from '../core/schedule/schedule';
import { dispatchReplanned } from './dispatch-replanned';
import { type NextRecheck, RECHECK_SOON, type RecheckContext } from './recheck';

/** A revision that a change has replaced, until when it decided, and why no longer. */
interface EndedRevision {
  state: JobStateThen;
  untilMs: number;
  reason: Reason;
}

/** By then, whatever fell due is so late that its claim looks for a skipped range. */
const ALL_LATE_AFTER_MS = 2 * MINUTE_MS;

/**
 * Records as skipped what a replaced revision had planned and its series has not reached. The scanner was
 * behind when the job changed, or was deleted: then the entry that follows was never written. The state of
 * the job before the change tells the times. If only a calendar has changed, the misfire policy decides from
 * the first time that the job plans still through the last one.
 *
 * @param entry not current, and none of its own claims proves that the next one is written
 * @returns when to recheck the entry again. `decided`: nothing is left to record. Undefined: that is not
 *   known, or the entry itself reaches the end
 */
export async function recordUnreached(
  entry: OccurrenceEntry,
  job: Job | undefined,
  context: RecheckContext,
): Promise<NextRecheck | 'decided' | undefined> {
  const { deps } = context;
  if (entry.catchUp || entry.restDecided || (job && entry.throughMs >= plansSinceMs(job))) return undefined;
  const ended = await endedRevision(entry, job, deps);
  const then = ended && (await jobThen(entry.jobKey, ended.state, deps));
  if (!then) return undefined;
  const { untilMs } = ended;
  const schedule = scheduleOf(then);
  if (schedule.next(entry.throughMs, untilMs) === undefined) return 'decided';
  const next = await missingNextEntry(entry, then, deps);
  if (!next || next.dueAtMs > untilMs || (await hasLastEntry(entry, { job: then, schedule, untilMs }, deps)))
    return 'decided';
  const runsLeft = (schedule.maxRuns ?? Number.POSITIVE_INFINITY) - next.runsBefore;
  const range = { afterMs: next.dueAtMs - 1, untilMs };
  const toMs = Math.min(untilMs, nthOccurrence(schedule, runsLeft, range) ?? untilMs);
  const kept = job && stillPlanned(job, next.dueAtMs, toMs);
  const gone = partsAround(kept, { fromMs: next.dueAtMs, toMs }).filter(
    (part) => schedule.next(part.fromMs - 1, part.toMs) !== undefined,
  );
  const nowMs = deps.clock.nowMs();
  const pauseMs = untilMs + ALL_LATE_AFTER_MS - nowMs;
  if (gone.length > 0 && pauseMs > 0) return { pauseMs, rechecks: entry.rechecks ?? 0 };
  const oldestMs = oldestClaimedMs(nowMs, deps.retentionDays);
  for (const part of gone) {
    const recent = { ...part, fromMs: Math.max(part.fromMs, oldestMs) };
    for (const { because, ...range } of byReason(recent, ended))
      await recordSkippedRange({ ...then, awaitedAtMs: job?.awaitedAtMs }, range, { reason: because }, deps);
  }
  return kept && !(await dispatchReplanned(kept, job, context)) ? RECHECK_SOON : 'decided';
}

/** What fell due long before a pause was missed before the pause. */
function byReason(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  { state, untilMs, reason }: EndedRevision,
): { fromMs: number; toMs: number; because: Reason }[] {
  const { definition } = state;
  if (reason !== 'paused' || !definition) return [{ fromMs, toMs, because: reason }];
  const missedMs = missedBeforeMs({ ...definition, status: 'paused', pausedAtMs: untilMs });
  return [
    { fromMs, toMs: Math.min(toMs, missedMs - 1), because: 'misfire' as const },
    { fromMs: Math.max(fromMs, missedMs), toMs, because: reason },
  ].filter((range) => range.fromMs <= range.toMs);
}

/**
 * Whether the series got as far as its end. A late decision may have left out the entry that follows this
 * one. The last entry then answers for the rest.
 */
async function hasLastEntry(
  entry: OccurrenceEntry,
  { job, schedule, untilMs }: { job: PlanningJob; schedule: Schedule; untilMs: number },
  deps: StageDeps,
): Promise<boolean> {
  const lastMs = nthLastOccurrence(schedule, 1, { afterMs: entry.throughMs, untilMs });
  if (lastMs === undefined) return false;
  const afterMs = Math.max(entry.throughMs, minuteStartMs(minuteOf(lastMs)) - 1);
  const shard = shardOf(entry.jobKey, await deps.shardCount());
  const runsBefore = runsThroughEntry(entry, schedule, afterMs);
  const last = entryAfter(job, schedule, { afterMs, runsBefore, shard, nowMs: 0 });
  return last !== undefined && hasPendingEntry(last, [entry.shard, shard], deps);
}

interface StillPlanned {
  firstMs: number;
  lastMs: number;
}

/** The parts of a range before and after what is kept of it. */
const partsAround = (kept: StillPlanned | undefined, { fromMs, toMs }: { fromMs: number; toMs: number }) =>
  kept
    ? [
        { fromMs, toMs: kept.firstMs - 1 },
        { fromMs: kept.lastMs + 1, toMs },
      ]
    : [{ fromMs, toMs }];

/**
 * The first and the last occurrence in the range that the job plans, if it has been active with the same
 * schedule all the time.
 */
function stillPlanned(job: Job, fromMs: number, untilMs: number): StillPlanned | undefined {
  const { status, activeSinceMs, scheduleChangedAtMs } = job;
  if (status === 'paused' || Math.max(activeSinceMs, scheduleChangedAtMs) >= fromMs) return undefined;
  const schedule = scheduleOf(job);
  const firstMs = plannedSearch(job, () => schedule)(fromMs - 1, untilMs);
  if (firstMs === undefined) return undefined;
  return { firstMs, lastMs: nthLastOccurrence(schedule, 1, { afterMs: firstMs - 1, untilMs }) ?? firstMs };
}

/**
 * The entry's revision, if a change has replaced it. Undefined also if its state is not kept. Clocks may
 * differ: it does not decide on what a later revision, or a later job, has begun to plan. Nor are jobs that
 * have had the id created in the order of their times.
 */
async function endedRevision(
  { jobKey, revision }: OccurrenceEntry,
  job: Job | undefined,
  deps: StageDeps,
): Promise<EndedRevision | undefined> {
  const newer = new Map<number, Newer>();
  for await (const state of statesOf(jobKey, job, deps)) {
    const ofJob = newer.get(state.createdAtMs);
    if (state.revision === revision) return endOf(state, ofJob, [...newer.values()]);
    const begunMs = Math.min(ofJob?.begunMs ?? Number.POSITIVE_INFINITY, state.atMs);
    newer.set(state.createdAtMs, { successor: state, begunMs });
  }
  return undefined;
}

/** What came after a state: the next state of the same job, and when the first of all of them began. */
interface Newer {
  successor: JobStateThen;
  begunMs: number;
}

function endOf(
  state: JobStateThen,
  ofJob: Newer | undefined,
  ofAll: readonly Newer[],
): EndedRevision | undefined {
  const { removed, plannedUntilMs } = state;
  if (!ofJob) {
    if (!removed) return undefined;
    const untilMs = Math.min(removed.atMs, ...ofAll.map(({ begunMs }) => begunMs));
    return { state, untilMs, reason: 'deleted' };
  }
  const { successor, begunMs } = ofJob;
  if (removed && cameBackAs(successor, state))
    return { state, untilMs: Math.min(removed.atMs, begunMs), reason: 'deleted' };
  const endMs = successor.lastChange?.what === 'replanned' ? plannedUntilMs : successor.atMs;
  if (endMs === undefined) return undefined;
  const reason = successor.status === 'paused' ? 'paused' : 'superseded';
  return { state, untilMs: Math.min(endMs, begunMs), reason };
}
