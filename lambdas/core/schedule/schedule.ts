import type { CalendarInUse } from './calendar-rules';
import type { MovedIntoPast } from './moved-notes';
import type { AddToMinute } from './occurrences';
import type { ScheduleSpec } from './spec';

/** What a schedule's due times depend on besides its text. */
export interface ScheduleContext {
  /** Full id of the job: the stable offset of `jitter` is a hash of it. */
  jobKey: string;
  /** `delay`, and an interval without anchor, count from here. */
  changedAtMs: number;
  /** The calendars that the schedule names. */
  calendars?: readonly CalendarInUse[];
}

/** A schedule ready for arithmetic. Pure: it knows no clock. */
export interface Schedule {
  readonly spec: ScheduleSpec;
  readonly oneTime: boolean;
  /** Absent: unbounded. `next` has no count and does not apply it; `domain/planned-times` does. */
  readonly maxRuns?: number;
  /** Nothing is due from this instant on. Absent: `endAt` is not set. */
  readonly endMs?: number;
  /**
   * The first due time strictly later than `afterMs`; undefined if none is left, or none through `untilMs`. A
   * search through a near instant is cheap. Without one, it may pass centuries that have no due time.
   */
  next(afterMs: number, untilMs?: number): number | undefined;
  /**
   * The last due time strictly earlier than `beforeMs`. Undefined if there is none within 100 years. Like
   * `next`, it does not apply `maxRuns`.
   */
  previous(beforeMs: number): number | undefined;
  /** Whether `ms` is one of the due times. */
  occursAt(ms: number): boolean;
  /** How many due times lie in `(afterMs, throughMs]`; counting stops at `limit`. */
  count(afterMs: number, throughMs: number, limit: number): number;
  /** Adds up by minute the due times in `(afterMs, throughMs]`. Its cost grows with the minutes alone. */
  addByMinute(afterMs: number, throughMs: number, add: AddToMinute): void;
  /** What the last change of a calendar moved into its own past. Absent: the schedule moves nothing. */
  movedIntoPast?(): MovedIntoPast[];
}
