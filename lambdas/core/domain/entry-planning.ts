import { MINUTE_MS } from '../clock/clock';
import { jobKeyOf, minuteOf, minuteStartMs } from '../contracts/tables';
import { parseDuration } from '../schedule/duration';
import { parseSchedule } from '../schedule/parse';
import type { CalendarInUse } from '../schedule/calendar-rules';
import type { Schedule, ScheduleContext } from '../schedule/schedule';
import type { OccurrenceEntry } from './entry';
import type { Job } from './job';
import { runsThrough } from './planned-times';
import type { MonitorTarget, Target } from './target';

/** The target of a job that runs elsewhere and pings; undefined: Quarterjack starts its work. */
export const monitorTargetOf = ({ target }: { target?: Target | undefined }): MonitorTarget | undefined =>
  target?.type === 'monitor' ? target : undefined;

/**
 * How long after its due time an occurrence is decided. That of a monitor waits for its ping until then, so
 * its entry is filed there: while it waits, nothing is read or written.
 */
export function decidedAfterMs(job: { target?: Target | undefined }): number {
  const monitor = monitorTargetOf(job);
  return monitor ? parseDuration(monitor.pingWithin) : 0;
}

/** What the due times of a job depend on. */
export interface JobOfSchedule extends Pick<Job, 'userId' | 'jobId' | 'schedule' | 'scheduleChangedAtMs'> {
  calendars?: readonly CalendarInUse[];
}
/** What the series of a job depends on. */
export type JobOfEntry = JobOfSchedule & Pick<Job, 'generation' | 'revision' | 'runsBase' | 'target'>;

/** What a job's due times depend on besides the text of its schedule. */
export const scheduleContextOf = (job: Omit<JobOfSchedule, 'schedule'>): ScheduleContext => ({
  jobKey: jobKeyOf(job),
  changedAtMs: job.scheduleChangedAtMs,
  ...(job.calendars && { calendars: job.calendars }),
});

/** The job's schedule, ready for arithmetic. Throws `ScheduleError` if it cannot be read. */
export const scheduleOf = (job: JobOfSchedule): Schedule =>
  parseSchedule(job.schedule, scheduleContextOf(job));

/**
 * Whether earlier contents of its calendars may have planned the due time: the schedule has it if no calendar
 * takes it away. A schedule that moves what is excluded does not tell.
 */
export function occursWithoutCalendars(job: JobOfSchedule, dueAtMs: number): boolean {
  const { schedule } = job;
  if (typeof schedule === 'string' || (schedule.type !== 'cron' && schedule.type !== 'interval'))
    return scheduleOf(job).occursAt(dueAtMs);
  const { exclude = [], only: _, onExcluded = 'skip', ...rest } = schedule;
  if (onExcluded !== 'skip') return true;
  const written = exclude.filter((one) => typeof one === 'string');
  return scheduleOf({ ...job, schedule: { ...rest, exclude: written } }).occursAt(dueAtMs);
}

/**
 * The entry of the first due time later than `afterMs`, together with the other due times of that bucket.
 * Undefined if the schedule or `maxRuns` leaves none. It is filed when the last of its times is decided, or
 * at now if that is past.
 *
 * @param at.runsBefore planned occurrences through `afterMs`, as `maxRuns` counts them
 */
export function entryAfter(
  job: JobOfEntry,
  schedule: Schedule,
  at: { afterMs: number; runsBefore: number; shard: number; nowMs: number },
): OccurrenceEntry | undefined {
  const runsLeft = (schedule.maxRuns ?? Number.POSITIVE_INFINITY) - at.runsBefore;
  const dueAtMs = runsLeft > 0 ? schedule.next(at.afterMs) : undefined;
  if (dueAtMs === undefined) return undefined;
  const offsetsMs = othersInBucket(schedule, dueAtMs, runsLeft).map((otherMs) => otherMs - dueAtMs);
  const throughMs = dueAtMs + (offsetsMs.at(-1) ?? 0);
  return {
    kind: 'occurrence',
    jobKey: jobKeyOf(job),
    shard: at.shard,
    checkAtMs: Math.max(throughMs + decidedAfterMs(job), at.nowMs),
    generation: job.generation,
    revision: job.revision,
    dueAtMs,
    throughMs,
    ...(offsetsMs.length > 0 && { offsetsMs }),
    runsBefore: at.runsBefore,
  };
}

/** The first entry of a job that was created, changed or resumed at `nowMs`. */
export const firstEntry = (
  job: JobOfEntry,
  schedule: Schedule,
  shard: number,
  nowMs: number,
): OccurrenceEntry | undefined =>
  entryAfter(job, schedule, { afterMs: nowMs, runsBefore: runsThrough(job, schedule, nowMs), shard, nowMs });

/**
 * `runsThrough`, counted from an entry that knows how many runs came before it. `throughMs` is not before the
 * entry's first due time.
 */
export const runsThroughEntry = (entry: OccurrenceEntry, schedule: Schedule, throughMs: number): number =>
  schedule.maxRuns === undefined
    ? 0
    : entry.runsBefore + schedule.count(entry.dueAtMs - 1, throughMs, schedule.maxRuns);

function othersInBucket(schedule: Schedule, dueAtMs: number, runsLeft: number): number[] {
  const bucketEndMs = minuteStartMs(minuteOf(dueAtMs)) + MINUTE_MS;
  const others: number[] = [];
  for (let runs = 1; runs < runsLeft; runs++) {
    const next = schedule.next(others.at(-1) ?? dueAtMs, bucketEndMs - 1);
    if (next === undefined) break;
    others.push(next);
  }
  return others;
}
