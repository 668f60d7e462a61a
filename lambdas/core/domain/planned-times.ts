import { DAY_MS } from '../clock/clock';
import { nthOccurrence } from '../schedule/nth-occurrence';
import type { AddToMinute } from '../schedule/occurrences';
import type { Schedule } from '../schedule/schedule';
import type { Job } from './job';

/**
 * Which due times of a job are planned: those of its schedule, while `maxRuns` lasts. The schedule itself
 * counts the runs, from its last change and skipped occurrences included, so no row has to be read.
 */
type ScheduledJob = Pick<Job, 'scheduleChangedAtMs' | 'runsBase'>;

/**
 * Planned occurrences since the schedule last changed, through `throughMs`. 0 without `maxRuns`, where no
 * count is needed.
 */
export function runsThrough(job: ScheduledJob, schedule: Schedule, throughMs: number): number {
  if (schedule.maxRuns === undefined) return 0;
  const base = baseOf(job);
  if (throughMs < base.atMs) return schedule.count(job.scheduleChangedAtMs, throughMs, schedule.maxRuns);
  return Math.min(schedule.maxRuns, base.count + schedule.count(base.atMs, throughMs, schedule.maxRuns));
}

/** Runs through an instant that a change of a calendar does not change any more. */
const baseOf = ({ scheduleChangedAtMs, runsBase }: ScheduledJob): { atMs: number; count: number } =>
  runsBase ?? { atMs: scheduleChangedAtMs, count: 0 };

/** How many occurrences later than `atMs` `maxRuns` still allows; `Infinity` without `maxRuns`. */
export const runsLeftAfter = (job: ScheduledJob, schedule: Schedule, atMs: number): number =>
  (schedule.maxRuns ?? Number.POSITIVE_INFINITY) - runsThrough(job, schedule, atMs);

/** The first planned due time later than `afterMs`; undefined if none is left. */
export const nextPlanned = (job: ScheduledJob, schedule: Schedule, afterMs: number): number | undefined =>
  runsLeftAfter(job, schedule, afterMs) > 0 ? schedule.next(afterMs) : undefined;

/** The first planned due time later than `afterMs`; undefined if that is later than `untilMs`. */
export type PlannedSearch = (afterMs: number, untilMs: number) => number | undefined;

/**
 * A search that is asked for many instants, one after another. It reads the schedule once, and counts only
 * the runs between two instants.
 */
export function plannedSearch(job: ScheduledJob, read: () => Schedule): PlannedSearch {
  let schedule: Schedule | undefined;
  let known = { atMs: Number.POSITIVE_INFINITY, left: 0 };
  return (afterMs, untilMs) => {
    schedule ??= read();
    const left =
      schedule.maxRuns === undefined || afterMs < known.atMs
        ? runsLeftAfter(job, schedule, afterMs)
        : known.left - schedule.count(known.atMs, afterMs, schedule.maxRuns);
    // A change of a calendar fixed the runs before it, whatever the schedule would count there now.
    if (afterMs >= baseOf(job).atMs) known = { atMs: afterMs, left };
    return left > 0 ? schedule.next(afterMs, untilMs) : undefined;
  };
}

/** The planned due times in `(afterMs, throughMs]`, ascending. It counts the runs before them once. */
export function* plannedBetween(
  job: ScheduledJob,
  schedule: Schedule,
  afterMs: number,
  throughMs: number,
): Generator<number, void, undefined> {
  let left = runsLeftAfter(job, schedule, afterMs);
  for (let atMs: number | undefined = afterMs; left > 0; left--) {
    atMs = schedule.next(atMs, throughMs);
    if (atMs === undefined) return;
    yield atMs;
  }
}

/** A last run that lies further ahead is not looked for. */
const LAST_WITHIN_MS = 3_653 * DAY_MS;

/**
 * An instant after which the schedule plans nothing, if it has one: the only occurrence, `endAt`, or the last
 * run of `maxRuns`. Undefined if that lies more than ten years after the change of the schedule.
 */
export function endOfPlan(job: ScheduledJob, schedule: Schedule): number | undefined {
  const { atMs: afterMs, count } = baseOf(job);
  const untilMs = job.scheduleChangedAtMs + LAST_WITHIN_MS;
  if (schedule.oneTime) return schedule.next(afterMs);
  const endMs = schedule.endMs !== undefined && schedule.endMs <= untilMs ? schedule.endMs : undefined;
  const { maxRuns } = schedule;
  if (maxRuns === undefined) return endMs;
  if (count >= maxRuns) return afterMs;
  return nthOccurrence(schedule, maxRuns - count, { afterMs, untilMs: endMs ?? untilMs }) ?? endMs;
}

/** Whether the schedule, as it is now, plans an occurrence at exactly `dueAtMs`. */
export const isPlannedAt = (job: ScheduledJob, schedule: Schedule, dueAtMs: number): boolean =>
  schedule.occursAt(dueAtMs) && runsLeftAfter(job, schedule, dueAtMs - 1) > 0;

/** Adds up by minute the planned occurrences in `(afterMs, throughMs]`. */
export function addPlannedByMinute(
  job: ScheduledJob,
  schedule: Schedule,
  { afterMs, throughMs }: { afterMs: number; throughMs: number },
  add: AddToMinute,
): void {
  const left = runsLeftAfter(job, schedule, afterMs);
  if (left <= 0) return;
  const last = Number.isFinite(left)
    ? nthOccurrence(schedule, left, { afterMs, untilMs: throughMs })
    : undefined;
  schedule.addByMinute(afterMs, last ?? throughMs, add);
}
