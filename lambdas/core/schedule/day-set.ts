import { civilDateOf, dayNumberOf, daysInMonth, weekdayOf } from './civil';
import type { DayRange } from './day-walk';
import { firstIndex } from './first-index';

/** A date of every year. The 29th of February exists in leap years alone. */
export interface MonthDay {
  /** 1–12 */
  month: number;
  /** 1–31 */
  day: number;
}

export interface DaysOfCalendar {
  /** Sorted, and none touches another. */
  ranges: readonly DayRange[];
  /** Bit n: weekday n, 0 = Sunday. */
  weekdays: number;
  /** Ascending. */
  yearly: readonly MonthDay[];
}

const ALL_WEEKDAYS = 0b111_1111;
/**
 * Days in a row that a search passes one by one. More than a year: then every day of a year is in the set.
 */
const MOST_IN_A_ROW = 800;
/** The 29th of February comes within eight years of any day. */
const YEARS_TO_ANY_DATE = 9;

/**
 * Days by their numbers since 1970-01-01, without end: explicit ranges, weekdays, and dates of every year.
 */
export class DaySet {
  /** By month: see `daysOf`. */
  private readonly months = new Map<number, number>();

  constructor(private readonly days: DaysOfCalendar) {}

  /** Number of the last explicit day; `-Infinity` without any. Later days repeat with the calendar. */
  get lastExplicitDay(): number {
    return this.days.ranges.at(-1)?.lastDay ?? Number.NEGATIVE_INFINITY;
  }

  has(day: number): boolean {
    return this.hasWeekday(day) || this.hasDate(day) || this.rangeFrom(day).firstDay <= day;
  }

  hasWeekday = (day: number): boolean => (this.days.weekdays & (1 << weekdayOf(day))) !== 0;

  hasDate(day: number): boolean {
    const { yearly } = this.days;
    if (yearly.length === 0) return false;
    const date = civilDateOf(day);
    return yearly.some((one) => one.month === date.month && one.day === date.day);
  }

  /** The first day of the set that is not before `day`; Infinity if none comes. */
  nextIn(day: number): number {
    if (this.has(day)) return day;
    let next = this.rangeFrom(day).firstDay;
    if (this.days.weekdays !== 0) {
      let weekday = day + 1;
      while (!this.hasWeekday(weekday)) weekday++;
      next = Math.min(next, weekday);
    }
    return Math.min(next, this.nextDate(day));
  }

  /** The first day outside of the set that is not before `day`; Infinity if none comes. */
  nextOut(day: number): number {
    if (this.days.weekdays === ALL_WEEKDAYS) return Number.POSITIVE_INFINITY;
    let out = day;
    for (let passed = 0; passed < MOST_IN_A_ROW; passed++) {
      const range = this.rangeFrom(out);
      if (range.firstDay <= out) out = range.lastDay + 1;
      else if (this.hasWeekday(out) || this.hasDate(out)) out++;
      else return out;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Its days of a month. Kept, because lookups of many schedules ask for the same ones. */
  daysOf(year: number, month: number): number {
    const key = year * 12 + month;
    let days = this.months.get(key);
    if (days === undefined) this.months.set(key, (days = this.daysIn(year, month)));
    return days;
  }

  private daysIn(year: number, month: number): number {
    const { ranges, weekdays, yearly } = this.days;
    const firstDay = dayNumberOf(year, month, 1);
    const lastDay = firstDay + daysInMonth(year, month) - 1;
    let days = 0;
    if (weekdays !== 0)
      for (let day = firstDay; day <= lastDay; day++) if (this.hasWeekday(day)) days |= 1 << (day - firstDay);
    for (const date of yearly)
      if (date.month === month && firstDay + date.day - 1 <= lastDay) days |= 1 << (date.day - 1);
    for (let index = this.rangeIndexFrom(firstDay); index < ranges.length; index++) {
      const range = ranges[index]!;
      if (range.firstDay > lastDay) break;
      const [from, to] = [Math.max(range.firstDay, firstDay), Math.min(range.lastDay, lastDay)];
      for (let day = from; day <= to; day++) days |= 1 << (day - firstDay);
    }
    return days;
  }

  private nextDate(day: number): number {
    const { yearly } = this.days;
    if (yearly.length === 0) return Number.POSITIVE_INFINITY;
    const { year } = civilDateOf(day);
    for (let at = year; at < year + YEARS_TO_ANY_DATE; at++) {
      for (const date of yearly) {
        if (date.day > daysInMonth(at, date.month)) continue;
        const found = dayNumberOf(at, date.month, date.day);
        if (found >= day) return found;
      }
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The first range that ends on `day` or later. */
  private rangeFrom = (day: number): DayRange => this.days.ranges[this.rangeIndexFrom(day)] ?? NO_RANGE;

  private rangeIndexFrom = (day: number): number =>
    firstIndex(this.days.ranges, ({ lastDay }) => lastDay < day);
}

const NO_RANGE: DayRange = { firstDay: Number.POSITIVE_INFINITY, lastDay: Number.POSITIVE_INFINITY };
