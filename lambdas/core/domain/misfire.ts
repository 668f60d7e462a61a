import { MINUTE_MS, SECOND_MS } from '../clock/clock';
import type { Job } from './job';
import { parseDuration } from '../schedule/duration';
import type { Schedule } from '../schedule/schedule';

/** A policy that catches up runs at most this many missed occurrences: the last ones due. */
export const CATCH_UP_CAP = 1_000;

/** A stretch of more occurrences than this says so many: counting on would take seconds. */
export const COUNTED_AT_MOST = 100_000;

/** No policy has a say before this. */
export const MIN_GRACE_MS = MINUTE_MS;
/** A bucket is one minute wide and has one entry, so several occurrences in it may be looked at a minute late. */
const MIN_GRACE_OF_SEVERAL_MS = 2 * MINUTE_MS;

/** What becomes of the occurrences of one look; all lists ascend, and `skipped` lies before `late` before `inTime`. */
export interface MisfireDecision {
  /** Missed and not to be run, as one stretch. */
  skipped?: { fromMs: number; toMs: number; count: number };
  /** Missed and to be run now, within the rate bound. */
  late: number[];
  /** Not late beyond their grace: to be run at their time. */
  inTime: number[];
}

/**
 * How late an occurrence may be before the misfire policy has a say. Never less than a minute, two where several
 * occurrences fall into one bucket.
 */
export function graceMsOf(job: Pick<Job, 'misfire'>, several: boolean): number {
  return Math.max(parseDuration(job.misfire.grace), several ? MIN_GRACE_OF_SEVERAL_MS : MIN_GRACE_MS);
}

/**
 * Decides on all occurrences from `fromMs` through `throughMs` (both are occurrences), at `nowMs`. A rule on each
 * occurrence and the clock alone, so deciding again later never contradicts what was decided, only follows the clock.
 * Since each policy runs the latest ones, what is skipped is always one stretch before what is run.
 * `dueByMs`: no occurrence of the job is due later than this by now (`maxRuns` may end it before `nowMs`).
 */
export function decideMisfire(
  job: Pick<Job, 'misfire'>,
  schedule: Schedule,
  look: { fromMs: number; throughMs: number; graceMs: number; nowMs: number; dueByMs: number },
): MisfireDecision {
  const { fromMs, throughMs, graceMs, nowMs } = look;
  const graceStartMs = nowMs - graceMs;
  const inTimeFromMs = Math.max(fromMs, graceStartMs);
  const inTime = occurrences(schedule, inTimeFromMs - 1, throughMs);
  const firstInTimeMs = inTime[0] ?? Number.POSITIVE_INFINITY;
  if (firstInTimeMs === fromMs) return { late: [], inTime };

  const late = lateToRun(job, schedule, { ...look, graceStartMs });
  const firstRunMs = late[0] ?? firstInTimeMs;
  if (firstRunMs === fromMs) return { late, inTime };
  return { skipped: skippedRangeOf(schedule, fromMs, Math.min(firstRunMs - 1, throughMs)), late, inTime };
}

/** The missed occurrences (before `graceStartMs`) that the policy runs all the same. */
function lateToRun(
  job: Pick<Job, 'misfire'>,
  schedule: Schedule,
  look: { fromMs: number; throughMs: number; nowMs: number; dueByMs: number; graceStartMs: number },
): number[] {
  const endMs = Math.min(look.graceStartMs - 1, look.throughMs);
  switch (job.misfire.policy) {
    case 'skip':
      return [];
    case 'fire-once': {
      const lastMs = lastAtOrBefore(schedule, look.dueByMs, look.fromMs);
      return lastMs <= endMs ? [lastMs] : [];
    }
    case 'fire-all': {
      const windowStartMs = look.nowMs - parseDuration(job.misfire.catchUpWindow);
      return lastDue(schedule, Math.max(look.fromMs, windowStartMs), endMs, look.dueByMs);
    }
    case 'fire-now':
      return lastDue(schedule, look.fromMs, endMs, look.dueByMs);
  }
}

/** Occurrences in `(afterMs, throughMs]`, ascending. */
export function occurrences(schedule: Schedule, afterMs: number, throughMs: number): number[] {
  const found: number[] = [];
  for (let at = schedule.next(afterMs); at !== undefined && at <= throughMs; at = schedule.next(at))
    found.push(at);
  return found;
}

/** The last occurrence at or before `atMs`, given that `floorMs` is one: looks back in doubling steps. */
function lastAtOrBefore(schedule: Schedule, atMs: number, floorMs: number): number {
  for (let backMs = SECOND_MS; ; backMs *= 2) {
    const startMs = Math.max(floorMs - 1, atMs - backMs);
    const found = occurrences(schedule, startMs, atMs);
    if (found.length > 0) return found.at(-1)!;
    if (startMs < floorMs) return floorMs;
  }
}

/** Occurrences in `[fromMs, endMs]` that are among the last `CATCH_UP_CAP` due at `nowMs`. */
function lastDue(schedule: Schedule, fromMs: number, endMs: number, nowMs: number): number[] {
  const due: number[] = [];
  for (let backMs = MINUTE_MS; ; backMs *= 4) {
    const startMs = Math.max(fromMs, nowMs - backMs);
    due.splice(0, due.length, ...occurrences(schedule, startMs - 1, nowMs));
    if (due.length >= CATCH_UP_CAP || startMs === fromMs) break;
  }
  return due.slice(-CATCH_UP_CAP).filter((at) => at <= endMs);
}

/** All occurrences from `fromMs`, which is one, through `endMs`; counted up to `COUNTED_AT_MOST`. */
export function skippedRangeOf(
  schedule: Schedule,
  fromMs: number,
  endMs: number,
): { fromMs: number; toMs: number; count: number } {
  return {
    fromMs,
    toMs: lastAtOrBefore(schedule, endMs, fromMs),
    count: schedule.count(fromMs - 1, endMs, COUNTED_AT_MOST),
  };
}
