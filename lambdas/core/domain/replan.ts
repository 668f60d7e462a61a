import type { Calendar } from '../schedule/calendar';
import type { Schedule } from '../schedule/schedule';
import {
  type CalendarPointer,
  DECIDES_FOR_MS,
  type EarlierVersion,
  isMoving,
  type UsedCalendar,
} from './calendar';
import { scheduleOf } from './entry-planning';
import { isPausedAt, type Job } from './job';
import { endOfPlan, runsThrough } from './planned-times';
import { APPLIED_WITHIN_MS } from './timing';

/** A calendar as it is now, with the content of the versions that a job needs. */
export interface CalendarNow {
  pointer: CalendarPointer;
  calendarOf(version: string): Calendar;
}

/** What a change of calendars changes in a job. */
export interface Replanned extends Required<Pick<Job, 'calendars' | 'replannedAtMs'>>, Pick<Job, 'runsBase'> {
  /** From here on, due times are those of the new content. */
  fromMs: number;
}

/** The ids of the calendars of a job that have changed since it was planned. */
export const outdatedCalendars = (
  { calendars = [] }: Pick<Job, 'calendars'>,
  changedAtMsOf: (calendarId: string) => number | undefined,
): string[] =>
  calendars.filter(({ id, sinceMs }) => (changedAtMsOf(id) ?? sinceMs) !== sinceMs).map(({ id }) => id);

/** How a job is planned by its calendars as they are now; undefined if it cannot be, or need not. */
export function replanned(
  job: Job,
  now: ReadonlyMap<string, CalendarNow>,
  nowMs: number,
): Replanned | undefined {
  const outdated = outdatedCalendars(job, (id) => now.get(id)?.pointer.changedAtMs);
  if (!job.calendars || outdated.length === 0) return undefined;
  // It is resumed at any moment, and what has been due since is decided then. The auditor replans it later.
  if (job.status === 'paused' && !isPausedAt(job, nowMs)) return undefined;
  const sinceMs = Math.max(job.activeSinceMs, job.scheduleChangedAtMs);
  const pointers = outdated.map((id) => now.get(id)!.pointer);
  const starts = pointers.map((pointer, index) =>
    endOfVersion(
      job.calendars!.find(({ id }) => id === outdated[index])!,
      pointer,
    ),
  );
  const fromMs = Math.max(sinceMs, Math.min(...starts));
  const schedule = scheduleOf(job);
  return {
    calendars: job.calendars.map((used) =>
      outdated.includes(used.id) ? usedNow(used, now.get(used.id)!, job, nowMs) : used,
    ),
    replannedAtMs: Math.max(sinceMs, ...pointers.map(({ changedAtMs }) => changedAtMs)),
    ...(schedule.maxRuns !== undefined && {
      runsBase: runsBaseAt(fromMs, job, schedule),
    }),
    fromMs,
  };
}

/**
 * The runs through an instant. If `maxRuns` ended before it, then through the last of them: what falls due
 * later is none of the runs, whatever a changed calendar allows.
 */
function runsBaseAt(atMs: number, job: Job, schedule: Schedule): NonNullable<Job['runsBase']> {
  const count = runsThrough(job, schedule, atMs);
  const endMs = count === schedule.maxRuns ? endOfPlan(job, schedule) : undefined;
  return { atMs: Math.min(atMs, endMs ?? atMs), count };
}

/** When the version of a job was replaced. */
const endOfVersion = ({ sinceMs }: UsedCalendar, { earlier, changedAtMs }: CalendarPointer): number =>
  earlier.find(({ untilMs }) => untilMs > sinceMs)?.untilMs ?? changedAtMs;

function usedNow(
  { sinceMs, earlier: before = [] }: UsedCalendar,
  { pointer, calendarOf }: CalendarNow,
  job: Job,
  nowMs: number,
): UsedCalendar {
  const { calendarId: id, version, changedAtMs } = pointer;
  const now: UsedCalendar = { id, version, sinceMs: changedAtMs, calendar: calendarOf(version) };
  if (!isMoving(job.schedule)) return now;
  const oldestMs = Math.max(nowMs - DECIDES_FOR_MS, job.scheduleChangedAtMs);
  const decides = ({ untilMs }: EarlierVersion) => untilMs > oldestMs;
  const since = pointer.earlier
    .filter(({ untilMs }) => untilMs > sinceMs)
    // By then each executor reads the new version, so one version decides an occurrence.
    .map((one) => ({ version: one.version, untilMs: one.untilMs + APPLIED_WITHIN_MS }))
    .filter(decides)
    .map((one) => ({ ...one, calendar: calendarOf(one.version) }));
  const earlier = [...before.filter(decides), ...since];
  return earlier.length === 0 ? now : { ...now, earlier };
}

/** A job as its calendars plan it now, before it is stored so. Its revision is that of no message. */
export function asPlannedNow(job: Job, now: ReadonlyMap<string, CalendarNow>, nowMs: number): Job {
  const changed = replanned(job, now, nowMs);
  if (!changed) return job;
  const { fromMs: _, ...planned } = changed;
  return { ...job, ...planned, revision: `${job.revision}#` };
}
