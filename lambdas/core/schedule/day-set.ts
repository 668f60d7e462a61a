import { countBits, lowestBit } from './bits';
import { civilDateOf, dayNumberOf, daysInMonth, remainder, weekdayOf } from './civil';
import { type DayRange, excludedIn } from './day-walk';
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
/** Bit n: day n + 1 of a month. */
const ALL_MONTH_DAYS = -1;
const EACH_SEVENTH_DAY = 0b1_0000001_0000001_0000001_0000001;
const DAYS_OF_A_LEAP_YEAR = 366;

/** A month and its days in the set, as bits: day 1 is bit 0. */
interface Month {
  firstDay: number;
  length: number;
  days: number;
}

/**
 * Days by their numbers since 1970-01-01, without end: explicit ranges, weekdays, and dates of every year.
 */
export class DaySet {
  private readonly months = new Map<number, Month>();
  private last: Month = { firstDay: 0, length: 0, days: 0 };
  /** By month: its dates of every year, as bits. */
  private readonly yearly: readonly number[];
  private readonly isEveryDay: boolean;

  constructor(private readonly days: DaysOfCalendar) {
    const yearly = Array.from({ length: 13 }, () => 0);
    for (const { month, day } of days.yearly) yearly[month]! |= 1 << (day - 1);
    this.yearly = yearly;
    const dates = yearly.reduce((sum, ofMonth) => sum + countBits(ofMonth), 0);
    this.isEveryDay = days.weekdays === ALL_WEEKDAYS || dates === DAYS_OF_A_LEAP_YEAR;
  }

  /** Number of the last explicit day; `-Infinity` without any. Later days repeat with the calendar. */
  get lastExplicitDay(): number {
    return this.days.ranges.at(-1)?.lastDay ?? Number.NEGATIVE_INFINITY;
  }

  has(day: number): boolean {
    const { firstDay, days } = this.monthAt(day);
    return (days & (1 << (day - firstDay))) !== 0;
  }

  hasWeekday = (day: number): boolean => (this.days.weekdays & (1 << weekdayOf(day))) !== 0;

  hasDate(day: number): boolean {
    const date = civilDateOf(day);
    return (this.yearly[date.month]! & (1 << (date.day - 1))) !== 0;
  }

  /** The first day of the set that is not before `day`; Infinity if none comes. */
  nextIn(day: number): number {
    const { weekdays, yearly } = this.days;
    const rangeDay = Math.max(day, this.rangeFrom(day).firstDay);
    if (weekdays === 0 && yearly.length === 0) return rangeDay;
    // Each weekday and each date comes again, so the walk ends.
    for (let at = day; at < rangeDay;) {
      const { firstDay, length, days } = this.monthAt(at);
      const left = days & (ALL_MONTH_DAYS << (at - firstDay));
      if (left !== 0) return firstDay + lowestBit(left);
      at = firstDay + length;
    }
    return rangeDay;
  }

  /** The first day outside of the set that is not before `day`; Infinity if none comes. */
  nextOut(day: number): number {
    if (this.isEveryDay) return Number.POSITIVE_INFINITY;
    // Some date is on some weekday that the set lacks, within 40 years of the last range. So the walk ends.
    for (let at = day; ;) {
      const range = this.rangeFrom(at);
      if (range.firstDay <= at) at = range.lastDay + 1;
      const { firstDay, length, days } = this.monthAt(at);
      const left = ~days & (ALL_MONTH_DAYS >>> (32 - length)) & (ALL_MONTH_DAYS << (at - firstDay));
      if (left !== 0) return firstDay + lowestBit(left);
      at = firstDay + length;
    }
  }

  /** Its days of a month, as bits: day 1 is bit 0. */
  daysOf = (year: number, month: number): number => this.monthOf(year, month).days;

  private monthAt(day: number): Month {
    const { firstDay, length } = this.last;
    if (day >= firstDay && day < firstDay + length) return this.last;
    const { year, month } = civilDateOf(day);
    return (this.last = this.monthOf(year, month));
  }

  /** Kept, because lookups of many schedules ask for the same ones. */
  private monthOf(year: number, month: number): Month {
    const key = year * 12 + month;
    let found = this.months.get(key);
    if (!found) this.months.set(key, (found = this.read(year, month)));
    return found;
  }

  private read(year: number, month: number): Month {
    const { ranges, weekdays } = this.days;
    const [firstDay, length] = [dayNumberOf(year, month, 1), daysInMonth(year, month)];
    let days = this.yearly[month]!;
    for (let weekday = 0; weekday < 7; weekday++)
      if (weekdays & (1 << weekday)) days |= EACH_SEVENTH_DAY << remainder(weekday - weekdayOf(firstDay), 7);
    return {
      firstDay,
      length,
      days: (days & (ALL_MONTH_DAYS >>> (32 - length))) | excludedIn(firstDay, length, ranges),
    };
  }

  /** The first range that ends on `day` or later. */
  private rangeFrom = (day: number): DayRange =>
    this.days.ranges[firstIndex(this.days.ranges, ({ lastDay }) => lastDay < day)] ?? NO_RANGE;
}

const NO_RANGE: DayRange = { firstDay: Number.POSITIVE_INFINITY, lastDay: Number.POSITIVE_INFINITY };
