import { CALENDAR_CYCLE_SEC, SECONDS_PER_DAY, dayNumberOf, daysInMonth, remainder } from './civil';
import { CronCalendar, hasTimeOfDay } from './cron-calendar';
import type { CronExpression } from './cron-expression';
import type { TimesOfDay } from './day-times';
import { parseCronExpression } from './cron-expression';
import { HOUR, MINUTE, SECOND } from './cron-field';
import { ScheduleError, quoted, readAt } from './schedule-error';
import { ValueSet } from './value-set';
import type { CalendarRef } from './spec';
import type { DayRange } from './day-walk';
import { afterExcluded, mergedRanges } from './day-walk';
import { LAST_WALL_SEC, type MonthlyPlan, type WallPlan } from './wall-plan';

/** Wall times that are not planned. */
export interface Exclusions {
  /** Whole days: sorted, and none touches another. */
  days: readonly DayRange[];
  /** Times of day, and the days on which each is excluded. */
  times: readonly ExcludedTimes[];
  /**
   * `wallSec` itself if it is not excluded. If it is: a later wall time, before which nothing can be planned.
   * That time may be excluded again. Infinity if nothing can be planned any more.
   */
  past(wallSec: number): number;
}

interface ExcludedTimes {
  calendar: CronCalendar;
  timesOfDay: TimesOfDay;
  past: Exclusions['past'];
}

const MAX_EXCLUSIONS = 100;
const MAX_EXCLUDING_EXPRESSIONS = 10;
/**
 * Excluded times in a row after which a schedule counts as exhausted. Bounds the search, far beyond real use.
 */
export const MAX_EXCLUDED_IN_A_ROW = 2_000;

const all = (min: number, max: number): ValueSet =>
  new ValueSet(
    Array.from({ length: max - min + 1 }, (_, index) => min + index),
    min,
    max,
  );
const ALL_SECONDS = all(SECOND.min, SECOND.max);
/** Every second of a day. */
export const ANY_TIME: TimesOfDay = {
  hours: all(HOUR.min, HOUR.max),
  minutes: all(MINUTE.min, MINUTE.max),
  seconds: ALL_SECONDS,
};

const DATES = /^(\d{4})-(\d\d)-(\d\d)(?:\/(\d{4})-(\d\d)-(\d\d))?$/;

/**
 * Parses the texts of `exclude`: dates, ranges `a/b` (both included), cron expressions. Calendars are left to
 * `calendar-rules`. Throws `ScheduleError` at its index.
 */
export function parseExclusions(exclude: readonly (string | CalendarRef)[]): Exclusions | undefined {
  if (exclude.length > MAX_EXCLUSIONS) {
    throw new ScheduleError(
      'exclude',
      `has ${exclude.length} entries; at most ${MAX_EXCLUSIONS} are allowed`,
    );
  }
  const texts = [...exclude.entries()].flatMap(([index, text]) =>
    typeof text === 'string' ? [{ index, text }] : [],
  );
  if (texts.length === 0) return undefined;
  const expressions = texts.filter(({ text }) => !DATES.test(text)).length;
  if (expressions > MAX_EXCLUDING_EXPRESSIONS) {
    throw new ScheduleError(
      'exclude',
      `has ${expressions} cron expressions; at most ${MAX_EXCLUDING_EXPRESSIONS} are allowed, dates aside`,
    );
  }
  const ranges: DayRange[] = [];
  const times: ExcludedTimes[] = [];
  for (const { index, text } of texts) {
    const path = `exclude.${index}`;
    const dates = DATES.exec(text);
    if (dates) ranges.push(excludedDates(text, path, dates.slice(1).map(Number)));
    else times.push(readAt(path, () => excludedTimes(parseCronExpression(text))));
  }
  const days = mergedRanges(ranges);
  return {
    days,
    times,
    past(wallSec) {
      let sec = pastDays(days, wallSec);
      for (const one of times) if (sec < Number.POSITIVE_INFINITY) sec = one.past(sec);
      return sec;
    },
  };
}

function pastDays(days: readonly DayRange[], wallSec: number): number {
  const day = Math.floor(wallSec / SECONDS_PER_DAY);
  const freeDay = afterExcluded(day, days);
  return freeDay === day ? wallSec : freeDay * SECONDS_PER_DAY;
}

function excludedDates(text: string, path: string, parts: number[]): DayRange {
  const [year, month, day, toYear, toMonth, toDay] = parts as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const firstDay = dayOrThrow(text, path, year, month, day);
  const lastDay = Number.isNaN(toYear) ? firstDay : dayOrThrow(text, path, toYear, toMonth, toDay);
  if (lastDay < firstDay) throw new ScheduleError(path, `${quoted(text)} ends before it begins`);
  return { firstDay, lastDay };
}

function dayOrThrow(text: string, path: string, year: number, month: number, day: number): number {
  if (month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))
    return dayNumberOf(year, month, day);
  throw new ScheduleError(path, `${quoted(text)} names a day that no calendar has`);
}

/** An expression without seconds excludes whole minutes. */
function excludedTimes(given: CronExpression): ExcludedTimes {
  const cron: CronExpression = given.hasSeconds ? given : { ...given, seconds: ALL_SECONDS };
  const calendar = new CronCalendar(cron);
  const left = {
    hours: ANY_TIME.hours.without(cron.hours),
    minutes: ANY_TIME.minutes.without(cron.minutes),
    seconds: ANY_TIME.seconds.without(cron.seconds),
  };
  const leavesTimes = left.seconds ?? left.minutes ?? left.hours;
  const isEveryDay = calendar.matchesEveryDay();
  const never = !leavesTimes && isEveryDay;
  const matches = isEveryDay
    ? (wallSec: number) => hasTimeOfDay(cron, remainder(wallSec, SECONDS_PER_DAY))
    : (wallSec: number) => calendar.matches(wallSec);
  return {
    calendar,
    timesOfDay: cron,
    past(wallSec) {
      if (never) return Number.POSITIVE_INFINITY;
      if (!matches(wallSec)) return wallSec;
      if (left.seconds) return nextOf(left.seconds, wallSec, 1, 60);
      if (left.minutes) return nextOf(left.minutes, wallSec, 60, 3600);
      if (left.hours) return nextOf(left.hours, wallSec, 3600, SECONDS_PER_DAY);
      return calendar.endOfWholeMonth(wallSec) ?? startOf(wallSec, SECONDS_PER_DAY) + SECONDS_PER_DAY;
    },
  };
}

const startOf = (wallSec: number, lengthSec: number): number => Math.floor(wallSec / lengthSec) * lengthSec;

/**
 * The next second, minute or hour (`unitSec` long) left in its minute, hour or day; if none, the end of that.
 */
function nextOf(left: ValueSet, wallSec: number, unitSec: number, lengthSec: number): number {
  const startSec = startOf(wallSec, lengthSec);
  const next = left.atOrAfter((startOf(wallSec, unitSec) - startSec) / unitSec);
  return startSec + (next === ValueSet.NONE ? lengthSec : next * unitSec);
}

/**
 * A plan of months without its excluded times: at most twelve of a year, so counting may visit them. Bounded
 * by the calendar's cycle, and by the excluded times in a row.
 */
export function excluding(plan: MonthlyPlan, exclusions: Exclusions | undefined): WallPlan {
  const next: WallPlan['next'] = (fromSec, search = { excludedTimes: MAX_EXCLUDED_IN_A_ROW }) => {
    const lastSec = Math.min(fromSec + CALENDAR_CYCLE_SEC, search.untilSec ?? LAST_WALL_SEC);
    let wallSec = plan.next(fromSec);
    for (let excluded = 0; excluded < MAX_EXCLUDED_IN_A_ROW && search.excludedTimes > 0; excluded++) {
      if (wallSec === undefined || wallSec > lastSec) return undefined;
      const pastSec = exclusions ? exclusions.past(wallSec) : wallSec;
      if (pastSec === wallSec) return wallSec;
      if (pastSec === Number.POSITIVE_INFINITY) return undefined;
      search.excludedTimes--;
      wallSec = plan.next(pastSec);
    }
    return undefined;
  };
  const each = (fromSec: number, untilSec: number, visit: (wallSec: number) => void) => {
    const nextFrom = (sec: number) =>
      next(sec, { untilSec: untilSec - 1, excludedTimes: MAX_EXCLUDED_IN_A_ROW });
    for (let at = nextFrom(fromSec); at !== undefined; at = nextFrom(at + 1)) visit(at);
  };
  return {
    next,
    count(fromSec, untilSec) {
      let count = 0;
      each(fromSec, untilSec, () => count++);
      return count;
    },
    addByMinute: (fromSec, untilSec, shiftSec, add) =>
      each(fromSec, untilSec, (wallSec) => add(Math.floor((wallSec + shiftSec) / 60), 1)),
  };
}
