import { lowestBit } from './bits';
import { SECONDS_PER_DAY, civilDateOf, dayNumberOf, daysInMonth, weekdayOf } from './civil';
import { daysMask } from './cron-day-rule';
import type { CronExpression } from './cron-expression';
import { ValueSet } from './value-set';
import { LAST_WALL_SEC } from './wall-plan';

const { NONE } = ValueSet;
/** After these the calendar repeats. */
const MAX_YEARS = 400;
const ALL_MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);
const ALL_MONTH_DAYS = 2 ** 31 - 1;
const ALL_WEEKDAYS = 2 ** 7 - 1;

/** The wall times of an expression. */
export class CronCalendar {
  /** By length and first weekday: there are 28 kinds of months. */
  private readonly masks: (number | undefined)[] = [];

  constructor(private readonly cron: CronExpression) {}

  next(fromSec: number): number | undefined {
    const dayNumber = Math.floor(fromSec / SECONDS_PER_DAY);
    const date = civilDateOf(dayNumber);
    if (this.isDay(date.year, date.month, date.day)) {
      const timeOfDay = this.timeOfDayFrom(fromSec - dayNumber * SECONDS_PER_DAY);
      if (timeOfDay !== NONE) return withinRange(dayNumber * SECONDS_PER_DAY + timeOfDay);
    }
    const nextDay = this.dayAfter(date.year, date.month, date.day);
    return nextDay === undefined ? undefined : withinRange(nextDay * SECONDS_PER_DAY + this.timeOfDayFrom(0));
  }

  matches(wallSec: number): boolean {
    const dayNumber = Math.floor(wallSec / SECONDS_PER_DAY);
    if (!hasTimeOfDay(this.cron, wallSec - dayNumber * SECONDS_PER_DAY)) return false;
    const date = civilDateOf(dayNumber);
    return this.isDay(date.year, date.month, date.day);
  }

  /** Whether plain values alone match every day of every year. */
  matchesEveryDay(): boolean {
    const { years, months, days } = this.cron;
    const everyMonth = ALL_MONTHS.every((month) => months.has(month));
    return (
      !years && everyMonth && days.monthDays.mask === ALL_MONTH_DAYS && days.weekdays.mask === ALL_WEEKDAYS
    );
  }

  /** The end of the month of `wallSec`, if each of its days matches; undefined if not. */
  endOfWholeMonth(wallSec: number): number | undefined {
    const { year, month } = civilDateOf(Math.floor(wallSec / SECONDS_PER_DAY));
    const days = daysInMonth(year, month);
    if (!this.isDay(year, month, 1) || this.mask(year, month) !== -1 >>> (32 - days)) return undefined;
    return (dayNumberOf(year, month, 1) + days) * SECONDS_PER_DAY;
  }

  /** Whether the expression has the year. */
  isYear(year: number): boolean {
    return this.cron.years?.has(year) ?? true;
  }

  /** The days of a month that match, as bits: day 1 is bit 0. */
  daysOf(year: number, month: number): number {
    return this.isYear(year) && this.cron.months.has(month) ? this.mask(year, month) : 0;
  }

  private isDay(year: number, month: number, day: number): boolean {
    return (this.daysOf(year, month) & (1 << (day - 1))) !== 0;
  }

  /** Number of the first matching day later than the given one. */
  private dayAfter(year: number, month: number, day: number): number | undefined {
    const lastYear = year + MAX_YEARS;
    let firstDay = day + 1;
    let monthFrom = month;
    for (let atYear = year; atYear <= lastYear; atYear++) {
      const nextYear = this.cron.years ? this.cron.years.atOrAfter(atYear) : atYear;
      if (nextYear === NONE) return undefined;
      if (nextYear > atYear) [atYear, monthFrom, firstDay] = [nextYear, 1, 1];
      let atMonth = this.cron.months.atOrAfter(monthFrom);
      while (atMonth !== NONE) {
        if (atMonth > monthFrom) firstDay = 1;
        const rest = firstDay > 31 ? 0 : this.mask(atYear, atMonth) & (-1 << (firstDay - 1));
        if (rest !== 0) return dayNumberOf(atYear, atMonth, lowestBit(rest) + 1);
        [monthFrom, firstDay] = [atMonth + 1, 1];
        atMonth = this.cron.months.atOrAfter(monthFrom);
      }
      [monthFrom, firstDay] = [1, 1];
    }
    return undefined;
  }

  /** The first time of day `>= sec` (seconds since midnight), or `NONE`. */
  private timeOfDayFrom(sec: number): number {
    const { hours, minutes, seconds } = this.cron;
    const [hour, minute] = [Math.floor(sec / 3600), Math.floor(sec / 60) % 60];
    if (hours.has(hour)) {
      if (minutes.has(minute)) {
        const second = seconds.atOrAfter(sec % 60);
        if (second !== NONE) return hour * 3600 + minute * 60 + second;
      }
      const nextMinute = minutes.atOrAfter(minute + 1);
      if (nextMinute !== NONE) return hour * 3600 + nextMinute * 60 + seconds.first;
    }
    const nextHour = hours.atOrAfter(hour + 1);
    return nextHour === NONE ? NONE : nextHour * 3600 + minutes.first * 60 + seconds.first;
  }

  private mask(year: number, month: number): number {
    const length = daysInMonth(year, month);
    const firstWeekday = weekdayOf(dayNumberOf(year, month, 1));
    return (this.masks[length * 7 + firstWeekday] ??= daysMask(this.cron.days, length, firstWeekday));
  }
}

/** Whether an expression has the time of day, in seconds since midnight. */
export const hasTimeOfDay = (
  { hours, minutes, seconds }: Pick<CronExpression, 'hours' | 'minutes' | 'seconds'>,
  sec: number,
): boolean =>
  seconds.has(sec % 60) && minutes.has(Math.floor(sec / 60) % 60) && hours.has(Math.floor(sec / 3600));

const withinRange = (wallSec: number): number | undefined => (wallSec <= LAST_WALL_SEC ? wallSec : undefined);
