import { MINUTE_MS } from '../clock/clock';
import { parseDuration } from '../schedule/duration';
import { nthLastOccurrence } from '../schedule/nth-occurrence';
import type { Schedule } from '../schedule/schedule';
import type { SkippedRange } from './execution';
import type { Job } from './job';

/** A policy that catches up runs at most this many missed occurrences: the last ones due. */
const CATCH_UP_CAP = 1_000;

/** A skipped range counts at most this many occurrences. */
const MAX_COUNTED = 100_000;

/** No occurrence is late to the misfire policy before this. */
export const MIN_GRACE_MS = MINUTE_MS;
/**
 * A bucket is one minute wide. An entry of several occurrences is filed at the last, up to a minute after the
 * first.
 */
const MIN_GRACE_OF_SEVERAL_MS = 2 * MINUTE_MS;

type MisfireSettings = Pick<Job, 'misfire'>;

/**
 * What becomes of the occurrences of one entry. Lists ascend; `skipped` is before `late`, and `late` before
 * `inTime`.
 */
interface MisfireDecision {
  /** Missed, and not to be run. */
  skipped?: SkippedRange;
  /** Missed, and to be run now, paced. */
  late: number[];
  /** Not later than their grace: to be run at their time. */
  inTime: number[];
}

interface OccurrencesToDecide {
  /** An occurrence, the first to decide. */
  fromMs: number;
  throughMs: number;
  graceMs: number;
  nowMs: number;
  /**
   * No occurrence of the job is due later than this by now: `maxRuns` may end the schedule before `nowMs`.
   */
  dueByMs: number;
}

/**
 * How late an occurrence may be before the misfire policy applies. At least a minute, and two if its entry
 * has several occurrences.
 */
export const graceMsOf = (job: MisfireSettings, several: boolean): number =>
  Math.max(parseDuration(job.misfire.grace), several ? MIN_GRACE_OF_SEVERAL_MS : MIN_GRACE_MS);

/**
 * Decides all occurrences from `fromMs` through `throughMs`. The rule for each depends on its due time and
 * the clock alone. So a later decision follows the clock, and never contradicts an earlier one. Each policy
 * runs the latest occurrences: what is skipped is one range before them.
 */
export function decideMisfire(
  job: MisfireSettings,
  schedule: Schedule,
  toDecide: OccurrencesToDecide,
): MisfireDecision {
  const { fromMs, throughMs, graceMs, nowMs } = toDecide;
  const graceStartMs = nowMs - graceMs;
  const inTime = occurrences(schedule, Math.max(fromMs, graceStartMs) - 1, throughMs);
  const firstInTimeMs = inTime[0] ?? Number.POSITIVE_INFINITY;
  if (firstInTimeMs === fromMs) return { late: [], inTime };

  const late = lateToRun(job, schedule, toDecide, Math.min(graceStartMs - 1, throughMs));
  const firstRunMs = late[0] ?? firstInTimeMs;
  if (firstRunMs === fromMs) return { late, inTime };
  return { skipped: skippedRangeOf(schedule, fromMs, Math.min(firstRunMs - 1, throughMs)), late, inTime };
}

/** The missed occurrences, through `endMs`, that the policy still runs. */
function lateToRun(
  { misfire }: MisfireSettings,
  schedule: Schedule,
  { fromMs, nowMs, dueByMs }: OccurrencesToDecide,
  endMs: number,
): number[] {
  switch (misfire.policy) {
    case 'skip':
      return [];
    case 'fire-once': {
      const lastMs = lastAtOrBefore(schedule, dueByMs, fromMs);
      return lastMs <= endMs ? [lastMs] : [];
    }
    case 'fire-all': {
      const windowStartMs = nowMs - parseDuration(misfire.catchUpWindow);
      return lastDue(schedule, Math.max(fromMs, windowStartMs), endMs, dueByMs);
    }
    case 'fire-now':
      return lastDue(schedule, fromMs, endMs, dueByMs);
  }
}

/** All occurrences from `fromMs`, which is one, through `endMs`. `count` is at most 100,000. */
export const skippedRangeOf = (schedule: Schedule, fromMs: number, endMs: number): SkippedRange => ({
  fromMs,
  toMs: lastAtOrBefore(schedule, endMs, fromMs),
  count: schedule.count(fromMs - 1, endMs, MAX_COUNTED),
});

/** Occurrences in `(afterMs, throughMs]`, ascending. */
function occurrences(schedule: Schedule, afterMs: number, throughMs: number): number[] {
  const found: number[] = [];
  for (let at = schedule.next(afterMs, throughMs); at !== undefined; at = schedule.next(at, throughMs))
    found.push(at);
  return found;
}

/** The last occurrence at or before `atMs`, given that `floorMs` is one: by halves, not one by one. */
function lastAtOrBefore(schedule: Schedule, atMs: number, floorMs: number): number {
  let lastMs = floorMs;
  let untilMs = atMs; // no occurrence is later than this, through `atMs`
  while (lastMs < untilMs) {
    const middleMs = Math.floor((lastMs + untilMs) / 2);
    const foundMs = schedule.next(middleMs, untilMs);
    if (foundMs === undefined) untilMs = middleMs;
    else lastMs = foundMs;
  }
  return lastMs;
}

/** Occurrences in `[fromMs, endMs]` that are among the last `CATCH_UP_CAP` due through `dueByMs`. */
function lastDue(schedule: Schedule, fromMs: number, endMs: number, dueByMs: number): number[] {
  const range = { afterMs: fromMs - 1, untilMs: dueByMs };
  const firstMs = nthLastOccurrence(schedule, CATCH_UP_CAP, range) ?? fromMs;
  return occurrences(schedule, firstMs - 1, Math.min(endMs, dueByMs));
}
