import { SECONDS_PER_DAY, dayNumberOf, daysInMonth } from './civil';
import { DaySet, type MonthDay } from './day-set';
import { type DayRange, mergedRanges } from './day-walk';
import { type LocalTime, parseDateTime } from './instant';
import { ParseError, ScheduleError, quoted, readAt } from './schedule-error';
import { TimeSet, mergedSeconds } from './time-set';
import { parseTimeZone } from './time-zone';
import { instantOfWall } from './wall-occurrences';
import type { Zone } from './zone';

/** From Sunday on, as weekdays are numbered. */
export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/**
 * Two days, both included (`2026-12-24`), or two local times, the second exclusive (`2026-12-24T18:00`).
 */
export interface CalendarRange {
  from: string;
  to: string;
  /** What it is, for people. */
  note?: string;
}

/** What a calendar says, as its user wrote it. */
export interface CalendarContent {
  /** Zone of its days and local times. Absent: the zone of each schedule that uses it. */
  timezone?: string;
  weekdays: readonly Weekday[];
  /** Days (`2026-12-25`) and ranges. */
  dates: readonly (string | CalendarRange)[];
  /** `01-01`: that date of every year. */
  yearly: readonly string[];
}

/** A range of whole days, or of local times in seconds since 1970-01-01T00:00:00. */
interface ParsedRange {
  days?: DayRange;
  wallFromSec: number;
  /** Exclusive. */
  wallUntilSec: number;
  note?: string;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const MONTH_DAY = /^(\d\d)-(\d\d)$/;
const LEAP_YEAR = 2000;
/** Of `2026-12-26`. */
const DAY_LENGTH = 10;

/** A calendar ready for arithmetic. Immutable. */
export class Calendar {
  private readonly zone: Zone | undefined;
  private readonly days: DaySet;
  private readonly ranges: readonly ParsedRange[];
  private readonly sets = new Map<string, TimeSet>();
  /** The last day of its dates, `2026-12-26`. Weekdays and dates of every year go on. Absent: it has none. */
  readonly knownUntil: string | undefined;

  /** Throws `ScheduleError` at the field of the content. */
  constructor(readonly content: CalendarContent) {
    const { timezone } = content;
    this.zone = timezone === undefined ? undefined : readAt('timezone', () => parseTimeZone(timezone));
    this.ranges = content.dates.map((date, index) => parsedRange(date, `dates.${index}`));
    this.knownUntil = content.dates
      .map((date) => (typeof date === 'string' ? date : date.to).slice(0, DAY_LENGTH))
      .sort()
      .at(-1);
    this.days = new DaySet({
      ranges: mergedRanges(this.ranges.flatMap(({ days }) => days ?? [])),
      weekdays: content.weekdays.reduce((mask, name) => mask | (1 << WEEKDAYS.indexOf(name)), 0),
      yearly: content.yearly.map((text, index) => monthDay(text, `yearly.${index}`)).sort(byDate),
    });
    // local times that the clocks skip are an error of the calendar, where it names its zone
    if (this.zone) this.in(this.zone);
  }

  /** What people have to know of a day after its dates: `knows nothing after 2026-12-26`. */
  endNote(day: string): string | undefined {
    const { knownUntil } = this;
    if (knownUntil === undefined || day <= knownUntil) return undefined;
    const { weekdays, yearly } = this.content;
    const recurs = weekdays.length + yearly.length > 0 ? ' but what recurs' : '';
    return `knows nothing after ${knownUntil}${recurs}`;
  }

  /** Its instants, for a schedule in `zone`. */
  in(zone: Zone): TimeSet {
    const own = this.zone ?? zone;
    let set = this.sets.get(own.name);
    if (!set) this.sets.set(own.name, (set = this.setIn(own)));
    return set;
  }

  /** Which of its rules has an instant, in words: a note, `2026-12-25`, `SAT`. Undefined: none has it. */
  ruleAt(sec: number, scheduleZone: Zone): string | undefined {
    const zone = this.zone ?? scheduleZone;
    const wallSec = sec + zone.segmentAt(sec).offsetSec;
    const day = Math.floor(wallSec / SECONDS_PER_DAY);
    const index = this.ranges.findIndex((one) => one.wallFromSec <= wallSec && wallSec < one.wallUntilSec);
    const date = this.content.dates[index];
    if (date !== undefined) return textOf(date);
    if (this.days.hasDate(day)) return 'every year';
    return this.days.hasWeekday(day) ? WEEKDAYS[(day + 4) % 7] : undefined;
  }

  private setIn(zone: Zone): TimeSet {
    const seconds = this.ranges
      .filter(({ days }) => !days)
      .map(({ wallFromSec, wallUntilSec }) => ({
        fromSec: instantNear(zone, wallFromSec),
        untilSec: instantNear(zone, wallUntilSec),
      }));
    return new TimeSet(
      this.days,
      mergedSeconds(seconds.filter(({ fromSec, untilSec }) => fromSec < untilSec)),
      zone,
    );
  }
}

const byDate = (a: MonthDay, b: MonthDay): number => a.month - b.month || a.day - b.day;

const textOf = (date: string | CalendarRange): string =>
  typeof date === 'string' ? date : (date.note ?? `${date.from} to ${date.to}`);

function parsedRange(date: string | CalendarRange, path: string): ParsedRange {
  if (typeof date === 'string') {
    const day = readAt(path, () => dayOf(date));
    return wholeDays(day, day);
  }
  const { from, to, note } = date;
  const named = note === undefined ? {} : { note };
  if (DAY.test(from) && DAY.test(to)) {
    const [first, last] = [readAt(`${path}.from`, () => dayOf(from)), readAt(`${path}.to`, () => dayOf(to))];
    if (last < first) throw endsTooEarly(`${path}.to`, from, to);
    return { ...wholeDays(first, last), ...named };
  }
  const [start, end] = [
    readAt(`${path}.from`, () => localTime(from)),
    readAt(`${path}.to`, () => localTime(to)),
  ];
  if (end.wallSec <= start.wallSec) throw endsTooEarly(`${path}.to`, from, to);
  return { wallFromSec: start.wallSec, wallUntilSec: end.wallSec, ...named };
}

const endsTooEarly = (path: string, from: string, to: string): ScheduleError =>
  new ScheduleError(path, `${quoted(to)} must be later than from, ${quoted(from)}`);

const wholeDays = (firstDay: number, lastDay: number): ParsedRange => ({
  days: { firstDay, lastDay },
  wallFromSec: firstDay * SECONDS_PER_DAY,
  wallUntilSec: (lastDay + 1) * SECONDS_PER_DAY,
});

function dayOf(text: string): number {
  const [year, month, day] = (DAY.exec(text)?.slice(1) ?? []).map(Number) as [number?, number?, number?];
  if (year === undefined || month === undefined || day === undefined)
    throw new ParseError(`${quoted(text)} is no day: write "2026-12-25"`);
  // local times may be of 1970 to 2199, and so may days
  parseDateTime(`${text}T00:00:00`);
  if (year >= 1970 && year <= 2199) return dayNumberOf(year, month, day);
  throw new ParseError(`${quoted(text)} is out of reach; allowed is 1970-01-01 to 2199-12-31`);
}

function localTime(text: string): LocalTime {
  const given = parseDateTime(text);
  if ('ms' in given)
    throw new ParseError(`${quoted(text)} has an offset; write local time, such as "2026-12-24T18:00"`);
  const year = Number(text.slice(0, 4));
  if (year >= 1970 && year <= 2199 && given.fractionMs === 0) return given;
  throw new ParseError(`${quoted(text)} must be a whole second from 1970 to 2199`);
}

function monthDay(text: string, path: string): MonthDay {
  const [month = 0, day = 0] = (MONTH_DAY.exec(text)?.slice(1) ?? []).map(Number);
  if (month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(LEAP_YEAR, month)) return { month, day };
  throw new ScheduleError(
    path,
    `${quoted(text)} is not a date of a year: write "12-25", from "01-01" to "12-31"`,
  );
}

/** The instant of a local time. In a gap: the first instant after it, also where a whole date is missing. */
function instantNear(zone: Zone, wallSec: number): number {
  for (let day = 0; ; day++) {
    const sec = instantOfWall(
      zone,
      day === 0 ? wallSec : (Math.floor(wallSec / SECONDS_PER_DAY) + day) * SECONDS_PER_DAY,
    );
    if (sec !== undefined) return sec;
  }
}
