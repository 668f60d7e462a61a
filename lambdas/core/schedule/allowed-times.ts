import type { Calendar } from './calendar';
import { CALENDAR_CYCLE_SEC, SECONDS_PER_DAY } from './civil';
import { dateText, timeText } from './instant';
import { firstCommonDay, type MonthDays } from './month-days';
import type { Occurrences } from './occurrences';
import { previousOccurrence } from './previous-occurrence';
import type { LocalDays, TimeSet } from './time-set';
import { LAST_WALL_SEC } from './wall-plan';
import { MAX_OFFSET_DIFFERENCE_SEC, type Zone } from './zone';

/** A calendar of a schedule, with its instants in the zone of that schedule. */
interface CalendarTimes {
  id: string;
  calendar: Calendar;
  times: TimeSet;
}

/**
 * Weekdays and dates repeat together within 40 years: what has not come so long after the last explicit date
 * never comes.
 */
const SEARCHED_SEC = CALENDAR_CYCLE_SEC / 10;
/** Boundaries that one search passes. Far beyond 40 years of weekends. */
const MOST_STEPS = 20_000;

/** Excluded ones in a row, after which a search asks for the next day that is open. */
const MOST_IN_A_ROW = 8;
/** Beyond what offsets and clock changes move. */
const MARGIN_DAYS = 1 + MAX_OFFSET_DIFFERENCE_SEC / SECONDS_PER_DAY;

const within = (sec: number, untilSec: number): number => (sec <= untilSec ? sec : Number.POSITIVE_INFINITY);

/** The instants that calendars leave to a schedule: not excluded by any, and on one of `only`. */
export class AllowedTimes {
  private readonly exclude: readonly CalendarTimes[];
  private readonly only: readonly CalendarTimes[];
  /** Present if one calendar decides alone: what lies outside of it is allowed. */
  private readonly onlyExclusion: CalendarTimes | undefined;
  private readonly lastExplicitSec: number;

  constructor(
    calendars: {
      exclude: readonly Omit<CalendarTimes, 'times'>[];
      only: readonly Omit<CalendarTimes, 'times'>[];
    },
    private readonly zone: Zone,
  ) {
    const inZone = ({ id, calendar }: Omit<CalendarTimes, 'times'>) => ({
      id,
      calendar,
      times: calendar.in(zone),
    });
    this.exclude = calendars.exclude.map(inZone);
    this.only = calendars.only.map(inZone);
    const all = [...this.exclude, ...this.only];
    this.lastExplicitSec = Math.max(...all.map(({ times }) => times.lastExplicitSec));
    if (this.exclude.length === 1 && this.only.length === 0) [this.onlyExclusion] = this.exclude;
  }

  get isEverything(): boolean {
    return this.exclude.length + this.only.length === 0;
  }

  isAllowed(sec: number): boolean {
    return (
      !this.exclude.some(({ times }) => times.has(sec)) && (this.only.length === 0 || this.isInOnly(sec))
    );
  }

  /**
   * Which times of day are allowed on each of some days, as bits.
   *
   * @param timesOfDay in seconds since midnight, ascending; at most 31
   */
  timesOn(days: LocalDays, count: number, timesOfDay: readonly number[]): Int32Array {
    const bits = new Int32Array(count);
    for (const { times } of this.exclude) times.addTimes(days, timesOfDay, bits);
    for (let day = 0; day < count; day++) bits[day] = ~bits[day]!;
    if (this.only.length === 0) return bits;
    const only = new Int32Array(count);
    for (const { times } of this.only) times.addTimes(days, timesOfDay, only);
    for (let day = 0; day < count; day++) bits[day]! &= only[day]!;
    return bits;
  }

  /** Nothing that is not allowed by then is allowed later. */
  searchedUntil(sec: number): number {
    return Math.min(Math.max(sec, this.lastExplicitSec) + SEARCHED_SEC, LAST_WALL_SEC);
  }

  /** `sec` itself if it is allowed; else the first second later that is. Infinity if none comes. */
  past(fromSec: number, untilSec: number = this.searchedUntil(fromSec)): number {
    if (this.onlyExclusion) return within(this.onlyExclusion.times.nextOut(fromSec), untilSec);
    let sec = fromSec;
    for (let steps = 0; sec <= untilSec && steps < MOST_STEPS; steps++) {
      const startSec = sec;
      for (const { times } of this.exclude) if (sec <= untilSec) sec = times.nextOut(sec);
      if (this.only.length > 0 && sec <= untilSec) sec = this.nextInOnly(sec);
      if (sec === startSec) return sec;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Days of a month on which something may be allowed. None is missing, and some may have nothing. */
  openDaysOf = (year: number, month: number): number => {
    let days = this.only.length === 0 ? -1 : 0;
    for (const { times } of this.only) days |= times.touchedDaysOf(this.zone, year, month);
    for (const { times } of this.exclude) days &= ~times.wholeDaysOf(this.zone, year, month);
    return days;
  };

  /** The local day of an instant. */
  dayAt = (sec: number): number => Math.floor((sec + this.zone.segmentAt(sec).offsetSec) / SECONDS_PER_DAY);

  /** The first second, not before an allowed one, that is not allowed. */
  end(fromSec: number, untilSec: number): number {
    const excludedSec = Math.min(untilSec, ...this.exclude.map(({ times }) => times.nextIn(fromSec)));
    if (this.only.length === 0) return excludedSec;
    let sec = fromSec;
    for (let steps = 0; sec < excludedSec && steps < MOST_STEPS && this.isInOnly(sec); steps++)
      sec = Math.max(
        ...this.only.map(({ times }) => times.nextOut(sec)).filter((outSec) => outSec !== sec),
        sec,
      );
    return Math.min(sec, excludedSec);
  }

  /** Which calendar does not allow an instant, in words: `de-holidays (Christmas)`. */
  why(sec: number): string {
    const one = this.exclude.find(({ times }) => times.has(sec));
    if (!one) return `not in ${this.only.map(({ id }) => id).join(' or ')}`;
    const rule = one.calendar.ruleAt(sec, this.zone);
    return rule === undefined ? one.id : `${one.id} (${rule})`;
  }

  /** `2026-12-25 09:00`: the local time of the schedule. */
  localText(sec: number): string {
    const wallSec = sec + this.zone.segmentAt(sec).offsetSec;
    return `${dateText(wallSec)} ${timeText(wallSec)}`;
  }

  private nextInOnly(sec: number): number {
    let nextSec = Number.POSITIVE_INFINITY;
    for (const { times } of this.only) nextSec = Math.min(nextSec, times.nextIn(sec));
    return nextSec;
  }

  private isInOnly = (sec: number): boolean => this.only.some(({ times }) => times.has(sec));
}

/**
 * Those of `inner` that calendars allow. A search jumps from each excluded one to the end of its exclusion.
 *
 * @param plannedDays the local days of `inner`, clock changes aside: a search then passes many excluded ones
 *   in few steps
 */
export function allowedOnly(inner: Occurrences, allowed: AllowedTimes, plannedDays?: MonthDays): Occurrences {
  if (allowed.isEverything) return inner;
  const eachPart = (
    afterMs: number,
    throughMs: number,
    visit: (afterMs: number, throughMs: number) => void,
  ) => {
    const untilSec = Math.floor(throughMs / 1000) + 1;
    for (let sec = allowed.past(Math.floor(afterMs / 1000), untilSec); sec < untilSec;) {
      const endSec = allowed.end(sec, untilSec);
      visit(Math.max(afterMs, sec * 1000 - 1), Math.min(throughMs, endSec * 1000 - 1));
      sec = allowed.past(endSec, untilSec);
    }
  };
  return {
    next(afterMs, untilMs = Number.POSITIVE_INFINITY) {
      const untilSec = Math.min(
        allowed.searchedUntil(Math.floor(afterMs / 1000)),
        Math.floor(untilMs / 1000),
      );
      let atMs = inner.next(afterMs, untilMs);
      for (let steps = 0; atMs !== undefined && steps < MOST_STEPS; steps++) {
        const sec = Math.floor(atMs / 1000);
        const pastSec = allowed.past(sec, untilSec);
        if (pastSec === sec) return atMs;
        if (pastSec > untilSec) return undefined;
        const isRow = plannedDays !== undefined && steps % MOST_IN_A_ROW === MOST_IN_A_ROW - 1;
        const fromSec = isRow ? pastRow(pastSec, untilSec, plannedDays, allowed) : pastSec;
        if (fromSec === undefined) return undefined;
        atMs = inner.next(fromSec * 1000 - 1, untilMs);
      }
      return undefined;
    },
    count(afterMs, throughMs) {
      let count = 0;
      eachPart(afterMs, throughMs, (fromMs, toMs) => (count += inner.count(fromMs, toMs)));
      return count;
    },
    addByMinute: ({ afterMs, throughMs, laterMs }, add) =>
      eachPart(afterMs, throughMs, (fromMs, toMs) =>
        inner.addByMinute({ afterMs: fromMs, throughMs: toMs, laterMs }, add),
      ),
  };
}

/**
 * After excluded ones in a row: a second at or after `sec`, before which nothing is allowed. Undefined:
 * nothing is allowed until then.
 */
function pastRow(
  sec: number,
  untilSec: number,
  plannedDays: MonthDays,
  allowed: AllowedTimes,
): number | undefined {
  const lastDay = allowed.dayAt(untilSec) + MARGIN_DAYS;
  const day = firstCommonDay(plannedDays, allowed.openDaysOf, allowed.dayAt(sec) - MARGIN_DAYS, lastDay);
  // What the clocks move to another day is near the day that is planned.
  return day === undefined ? undefined : Math.max(sec, (day - MARGIN_DAYS) * SECONDS_PER_DAY);
}

/** What calendars removed between two neighbouring occurrences; undefined: nothing. */
export function removedNote(
  inner: Occurrences,
  allowed: AllowedTimes,
  { afterMs, beforeMs }: { afterMs: number; beforeMs: number },
): string | undefined {
  const firstMs = inner.next(afterMs, beforeMs - 1);
  if (firstMs === undefined) return undefined;
  const others = inner.count(firstMs, beforeMs - 1);
  const firstSec = Math.floor(firstMs / 1000);
  const lastMs = previousOccurrence((fromMs, untilMs) => inner.next(fromMs, untilMs), beforeMs) ?? firstMs;
  const and =
    others === 0 ? '' : `, and ${others} more through ${allowed.localText(Math.floor(lastMs / 1000))}`;
  return `${allowed.localText(firstSec)} is left out: ${allowed.why(firstSec)}${and}`;
}
