import { DAY_MS } from '../clock/clock';
import type { Calendar } from '../schedule/calendar';
import { movesOccurrences } from '../schedule/calendar-rules';
import type { ScheduleSpec } from '../schedule/spec';
import type { Actor } from './actor';
import { expiresAtSecAfter } from './timing';

/** A version that a change of its calendar has replaced. */
export interface EarlierVersion {
  version: string;
  /** When the version after it replaced it. */
  untilMs: number;
}

/** A calendar of a project: which version is the present one. Its content is stored by its version. */
export interface CalendarPointer {
  userId: string;
  calendarId: string;
  name?: string;
  /** Begins with a hash of its content. Each change makes a version of its own, which none names again. */
  version: string;
  /** When this version became the present one. Each change has a later one, so it identifies the change. */
  changedAtMs: number;
  /** Versions before, in order of time, at most `MAX_EARLIER_VERSIONS`. */
  earlier: readonly EarlierVersion[];
  /**
   * Present while jobs may still be planned by another version, and `version` may still expire. `from` is the
   * one before, which is to expire; all jobs through `cursor` are replanned.
   */
  changing?: { from?: string; cursor?: string };
  /** The end that notifications were sent about, when they were, and whether all of them are filed. */
  notifiedEnd?: { knownUntil: string; atMs: number; isDone?: true };
  /** Random; new with each write. Condition of every write. */
  etag: string;
  updatedAtMs: number;
  by: Actor;
}

/** An occurrence moves by 31 days at most, so one that could come again came at most 62 days ago. */
export const DECIDES_FOR_MS = 70 * DAY_MS;

/**
 * When a version that is named no more expires. Until then, jobs that move occurrences need it, and then the
 * states of jobs that were kept with it. The auditor moves the time for a job that names it still.
 */
export const versionExpiresAtSec = (nowMs: number, retentionDays: number): number =>
  expiresAtSecAfter(nowMs + DECIDES_FOR_MS + DAY_MS, retentionDays);

/** A row of at most 1 KB has room for these. */
export const MAX_EARLIER_VERSIONS = 8;
/** A project has at most so many. */
export const MAX_CALENDARS = 200;

/** A calendar that a job uses, at the version by which the job is planned. */
export interface UsedCalendar {
  id: string;
  version: string;
  /** `changedAtMs` of the pointer at which the job was planned. */
  sinceMs: number;
  /** Its content: the store resolves the version. */
  calendar: Calendar;
  /** Only of a job that moves occurrences: the versions that decide what came before a change. */
  earlier?: readonly (EarlierVersion & { calendar: Calendar })[];
}

/** Whether a schedule moves what calendars exclude. */
export const isMoving = (schedule: ScheduleSpec): boolean =>
  typeof schedule === 'object' && 'onExcluded' in schedule && movesOccurrences(schedule);
