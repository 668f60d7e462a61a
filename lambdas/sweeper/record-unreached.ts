import { MINUTE_MS } from '../core/clock/clock';
import { jobRefOf } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { missingNextEntry } from '../core/dispatch/next-entry';
import type { OccurrenceEntry } from '../core/domain/entry';
import { scheduleOf } from '../core/domain/entry-planning';
import type { Reason } from '../core/domain/execution';
import { type Job, type JobDefinition, plansSinceMs } from '../core/domain/job';
import type { JobState, KeptState } from '../core/domain/job-state';
import { oldestClaimedMs } from '../core/domain/timing';
import { recordSkippedRange } from '../core/ending/skip-ranges';
import { stateOf } from '../core/http/kept-state';
import { nthOccurrence } from '../core/schedule/nth-occurrence';
import type { NextRecheck } from './recheck';

/** A revision that a change has replaced, and when. */
interface EndedRevision {
  state: KeptState & { definition: JobDefinition; scheduleChangedAtMs: number };
  endedAtMs: number;
  reason: Reason;
}

/** By then, whatever fell due is so late that its claim looks for a skipped range. */
const ALL_LATE_AFTER_MS = 2 * MINUTE_MS;
/** States in a read: the one that is looked for is mostly the last that was kept. */
const FIRST_PAGE = 2;
const LATER_PAGE = 20;

/**
 * Records as skipped what a replaced revision had planned and its series has not reached. The scanner was
 * behind when the job changed, or was deleted: then the entry that follows was never written. The state of
 * the job before the change tells the times. Those of jobs with calendars are not known any more.
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
  if (!ended || ended.state.calendars) return undefined;
  const { state, endedAtMs, reason } = ended;
  const { generation, revision } = entry;
  const { scheduleChangedAtMs, definition } = state;
  const then = { ...jobRefOf(entry.jobKey), schedule: definition.schedule, scheduleChangedAtMs, generation };
  const schedule = scheduleOf(then);
  if (schedule.next(entry.throughMs, endedAtMs) === undefined) return undefined;
  const next = await missingNextEntry(entry, { ...then, revision }, deps);
  if (!next || next.dueAtMs > endedAtMs) return undefined;
  const nowMs = deps.clock.nowMs();
  const pauseMs = endedAtMs + ALL_LATE_AFTER_MS - nowMs;
  if (pauseMs > 0) return { pauseMs, rechecks: entry.rechecks ?? 0 };
  const runsLeft = (schedule.maxRuns ?? Number.POSITIVE_INFINITY) - next.runsBefore;
  const range = { afterMs: next.dueAtMs - 1, untilMs: endedAtMs };
  const fromMs = Math.max(next.dueAtMs, oldestClaimedMs(nowMs, deps.retentionDays));
  const toMs = Math.min(endedAtMs, nthOccurrence(schedule, runsLeft, range) ?? endedAtMs);
  await recordSkippedRange({ ...then, awaitedAtMs: job?.awaitedAtMs }, { fromMs, toMs }, { reason }, deps);
  return undefined;
}

/**
 * The entry's revision, if a change has replaced it. Undefined also if its state was not kept with its
 * revision, or if an owner has erased it.
 */
async function endedRevision(
  { jobKey, revision, generation, dueAtMs }: OccurrenceEntry,
  job: Job | undefined,
  { changes }: StageDeps,
): Promise<EndedRevision | undefined> {
  let successor: JobState | undefined = job && stateOf(job);
  let before: string | undefined;
  do {
    const limit = before === undefined ? FIRST_PAGE : LATER_PAGE;
    const page = await changes.list(jobKey, { limit, ...(before !== undefined && { before }) });
    for (const state of page.states) {
      if (state.revision === revision)
        return successor?.revision === revision ? undefined : end(state, successor);
      const isEarlier = state.createdAtMs <= dueAtMs && (state.generation ?? 0) < generation;
      if (isEarlier) return undefined;
      successor = state;
    }
    before = page.nextBefore;
  } while (before !== undefined);
  return undefined;
}

/** @param successor the state after it, of any job that has had the id */
function end(state: KeptState, successor: JobState | undefined): EndedRevision | undefined {
  const { definition, scheduleChangedAtMs } = state;
  if (!definition || scheduleChangedAtMs === undefined) return undefined;
  const known = { ...state, definition, scheduleChangedAtMs };
  if (successor?.createdAtMs === state.createdAtMs) {
    const reason = successor.status === 'paused' ? 'paused' : 'superseded';
    return { state: known, endedAtMs: successor.atMs, reason };
  }
  return state.removed && { state: known, endedAtMs: state.removed.atMs, reason: 'deleted' };
}
