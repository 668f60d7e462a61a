import { MINUTE_MS } from '../core/clock/clock';
import type { StageDeps } from '../core/deps';
import { minuteOf, minuteStartMs } from '../core/contracts/tables';
import { hasPendingEntry } from '../core/dispatch/first-entry';
import { missingNextEntry } from '../core/dispatch/next-entry';
import { dueTimesOf, type OccurrenceEntry } from '../core/domain/entry';
import { entryAfter, runsThroughEntry, scheduleOf } from '../core/domain/entry-planning';
import type { PlanningJob } from '../core/domain/eligibility';
import type { Reason } from '../core/domain/execution';
import { type Job, plansSinceMs } from '../core/domain/job';
import { plannedSearch } from '../core/domain/planned-times';
import { shardOf } from '../core/domain/shard';
import { oldestClaimedMs } from '../core/domain/timing';
import { recordSkippedRange } from '../core/ending/skip-ranges';
import { type JobStateThen, jobThen, statesOf } from '../core/history/job-then';
import { nthLastOccurrence, nthOccurrence } from '../core/schedule/nth-occurrence';
import { dispatchReplanned } from './dispatch-replanned';
import type { NextRecheck } from './recheck';

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
 * the job before the change tells the times. What only a calendar's change has ended, and the job plans
 * still, is left to the misfire policy.
 *
 * @param entry not current, and none of its own claims proves that the next one is written
 * @returns when to recheck the entry again; undefined: nothing is left to record
 */
export async function recordUnreached(
  entry: OccurrenceEntry,
  job: Job | undefined,
  deps: StageDeps,
): Promise<NextRecheck | undefined> {
  if (entry.catchUp || (job && entry.throughMs >= plansSinceMs(job))) return undefined;
  const ended = await endedRevision(entry, job, deps);
  const then = ended && (await jobThen(entry.jobKey, ended.state, deps));
  if (!then) return undefined;
  const { untilMs, reason } = ended;
  const schedule = scheduleOf(then);
  if (schedule.next(entry.throughMs, untilMs) === undefined) return undefined;
  const next = await missingNextEntry(entry, then, deps);
  if (!next || next.dueAtMs > untilMs || (await hasLastEntry(entry, then, untilMs, deps))) return undefined;
  const firstMs = job && firstStillPlanned(job, next.dueAtMs, untilMs);
  if (firstMs !== undefined) {
    // If it plans one of the entry's own, too, that one's new entry has been filed.
    const isFiled = dueTimesOf(entry).some((dueAtMs) => firstStillPlanned(job!, dueAtMs, dueAtMs));
    if (!isFiled) await dispatchReplanned(firstMs, job!, deps);
    return undefined;
  }
  const nowMs = deps.clock.nowMs();
  const pauseMs = untilMs + ALL_LATE_AFTER_MS - nowMs;
  if (pauseMs > 0) return { pauseMs, rechecks: entry.rechecks ?? 0 };
  const runsLeft = (schedule.maxRuns ?? Number.POSITIVE_INFINITY) - next.runsBefore;
  const range = { afterMs: next.dueAtMs - 1, untilMs };
  const fromMs = Math.max(next.dueAtMs, oldestClaimedMs(nowMs, deps.retentionDays));
  const toMs = Math.min(untilMs, nthOccurrence(schedule, runsLeft, range) ?? untilMs);
  await recordSkippedRange({ ...then, awaitedAtMs: job?.awaitedAtMs }, { fromMs, toMs }, { reason }, deps);
  return undefined;
}

/**
 * Whether the series got as far as its end. A late decision may have left out the entry that follows this
 * one. The last entry then answers for the rest.
 */
async function hasLastEntry(
  entry: OccurrenceEntry,
  then: PlanningJob,
  untilMs: number,
  deps: StageDeps,
): Promise<boolean> {
  const schedule = scheduleOf(then);
  const lastMs = nthLastOccurrence(schedule, 1, { afterMs: entry.throughMs, untilMs });
  if (lastMs === undefined) return false;
  const afterMs = Math.max(entry.throughMs, minuteStartMs(minuteOf(lastMs)) - 1);
  const shard = shardOf(entry.jobKey, await deps.shardCount());
  const runsBefore = runsThroughEntry(entry, schedule, afterMs);
  const last = entryAfter(then, schedule, { afterMs, runsBefore, shard, nowMs: 0 });
  return last !== undefined && hasPendingEntry(last, [entry.shard, shard], deps);
}

/**
 * The first occurrence in the range that the job plans, if it has been active with the same schedule all the
 * time.
 */
function firstStillPlanned(job: Job, fromMs: number, untilMs: number): number | undefined {
  const { status, activeSinceMs, scheduleChangedAtMs } = job;
  if (status === 'paused' || Math.max(activeSinceMs, scheduleChangedAtMs) >= fromMs) return undefined;
  return plannedSearch(job, () => scheduleOf(job))(fromMs - 1, untilMs);
}

/**
 * The entry's revision, if a change has replaced it. Undefined also if its state is not kept. Clocks may
 * differ: it does not decide on what a later revision, or a later job, has begun to plan.
 */
async function endedRevision(
  { jobKey, revision, generation, dueAtMs }: OccurrenceEntry,
  job: Job | undefined,
  deps: StageDeps,
): Promise<EndedRevision | undefined> {
  let successor: JobStateThen | undefined;
  let begunMs = Number.POSITIVE_INFINITY;
  for await (const state of statesOf(jobKey, job, deps)) {
    if (state.revision === revision) {
      const ended = endOf(state, successor);
      return ended && { ...ended, untilMs: Math.min(ended.untilMs, begunMs) };
    }
    const isEarlier = state.createdAtMs <= dueAtMs && (state.generation ?? 0) < generation;
    if (isEarlier) return undefined;
    begunMs = Math.min(begunMs, state.atMs);
    successor = state;
  }
  return undefined;
}

/** @param successor the state after it, of any job that has had the id */
function endOf(state: JobStateThen, successor: JobStateThen | undefined): EndedRevision | undefined {
  const { removed, plannedUntilMs, createdAtMs } = state;
  if (successor?.createdAtMs !== createdAtMs)
    return removed && { state, untilMs: removed.atMs, reason: 'deleted' };
  const untilMs = successor.lastChange?.what === 'replanned' ? plannedUntilMs : successor.atMs;
  if (untilMs === undefined) return undefined;
  return { state, untilMs, reason: successor.status === 'paused' ? 'paused' : 'superseded' };
}
