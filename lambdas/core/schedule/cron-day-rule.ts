import type { CronField } from './cron-field';
import { CronFieldError, DAY_OF_MONTH, itemsOf, valueOf, valuesOfItem } from './cron-field';

/** The days of a month that an expression means. Bits of a mask: day 1 is bit 0. */
export interface DayRule {
  /** Both day fields restricted: either is enough. Otherwise a day must satisfy both. */
  readonly either: boolean;
  readonly monthDays: MonthDays;
  readonly weekdays: Weekdays;
}

interface MonthDays {
  mask: number;
  /** `L` is 0, `L-3` is 3. */
  beforeLast: number[];
  /** `15W`: the weekday (MON–FRI) nearest to that day, within the month. */
  nearestTo: number[];
  /** `LW` */
  lastWorkday: boolean;
}

export interface Weekdays {
  /** Bit n: weekday n, 0 = Sunday. */
  mask: number;
  /** `MON#1` */
  nth: { weekday: number; n: number }[];
  /** `5L`: the last Friday */
  last: number[];
}

export function parseDayRule(monthDayText: string, weekdayText: string, weekdayField: CronField): DayRule {
  return {
    either: isRestricted(monthDayText) && isRestricted(weekdayText),
    monthDays: parseMonthDays(monthDayText),
    weekdays: parseWeekdays(weekdayText, weekdayField),
  };
}

/** Whether one of two day fields, of which either is enough, means every day. */
export const meansEveryDay = ({ either, monthDays, weekdays }: DayRule): boolean =>
  either && (monthDays.mask === ALL_MONTH_DAYS || weekdays.mask === ALL_WEEKDAYS);
const ALL_MONTH_DAYS = 2 ** 31 - 1;
const ALL_WEEKDAYS = 2 ** 7 - 1;

/** A day field that begins with `*` (also `*` with a step) may restrict days, but never makes `either`. */
const isRestricted = (text: string): boolean => !text.startsWith('*') && text !== '?';

function parseMonthDays(text: string): MonthDays {
  const days: MonthDays = { mask: 0, beforeLast: [], nearestTo: [], lastWorkday: false };
  for (const item of itemsOf(text === '?' ? '*' : text, DAY_OF_MONTH)) {
    const beforeLast = /^L(?:-(\d{1,2}))?$/.exec(item);
    const nearest = /^(\d{1,2})W$/.exec(item);
    if (item === 'LW') days.lastWorkday = true;
    else if (beforeLast) days.beforeLast.push(daysBeforeLast(beforeLast[1], item));
    else if (nearest) days.nearestTo.push(valueOf(nearest[1]!, item, DAY_OF_MONTH));
    else for (const day of valuesOfItem(item, DAY_OF_MONTH)) days.mask |= bit(day - 1);
  }
  return days;
}

function daysBeforeLast(text: string | undefined, item: string): number {
  if (text === undefined) return 0;
  const days = Number(text);
  if (days < 1 || days > 30) throw new CronFieldError(DAY_OF_MONTH, item, 'L- takes 1 to 30 days');
  return days;
}

function parseWeekdays(text: string, weekdayField: CronField): Weekdays {
  const days: Weekdays = { mask: 0, nth: [], last: [] };
  const first = weekdayField.min; // Sunday
  const weekday = (value: number) => (value - first) % 7;
  for (const item of itemsOf(text === '?' ? '*' : text, weekdayField)) {
    const last = /^([^-/#]+)L$/.exec(item);
    const nth = /^([^-/#]+)#(.*)$/.exec(item);
    if (last) days.last.push(weekday(valueOf(last[1]!, item, weekdayField)));
    else if (nth)
      days.nth.push({
        weekday: weekday(valueOf(nth[1]!, item, weekdayField)),
        n: nthOf(nth[2]!, item, weekdayField),
      });
    else if (item === 'L') days.mask |= bit(loneLast(item, weekdayField));
    else for (const value of valuesOfItem(item, weekdayField)) days.mask |= bit(weekday(value));
  }
  return days;
}

function nthOf(text: string, item: string, weekdayField: CronField): number {
  if (!/^[1-5]$/.test(text)) throw new CronFieldError(weekdayField, item, 'after # comes 1 to 5');
  return Number(text);
}

/** AWS: the last day of the week, Saturday. In other dialects the day is ambiguous, so it is an error. */
function loneLast(item: string, weekdayField: CronField): number {
  if (weekdayField.min === 1) return 6;
  throw new CronFieldError(weekdayField, item, 'L needs a weekday before it: 5L or FRIL is the last Friday');
}

const bit = (index: number): number => 1 << index;

/** The days that the rule means, of a month with that length that begins on that weekday. */
export function daysMask(rule: DayRule, length: number, firstWeekday: number): number {
  const monthDays = monthDaysMask(rule.monthDays, length, firstWeekday);
  const weekdays = weekdaysMask(rule.weekdays, length, firstWeekday);
  const both = rule.either ? monthDays | weekdays : monthDays & weekdays;
  return both & (-1 >>> (32 - length));
}

function monthDaysMask(days: MonthDays, length: number, firstWeekday: number): number {
  let mask = days.mask;
  for (const before of days.beforeLast) if (before < length) mask |= bit(length - before - 1);
  for (const day of days.nearestTo) {
    if (day <= length) mask |= bit(nearestWorkday(day, length, firstWeekday) - 1);
  }
  if (days.lastWorkday) mask |= bit(nearestWorkday(length, length, firstWeekday) - 1);
  return mask;
}

function nearestWorkday(day: number, length: number, firstWeekday: number): number {
  const weekday = (firstWeekday + day - 1) % 7;
  if (weekday === 6) return day > 1 ? day - 1 : day + 2;
  if (weekday === 0) return day < length ? day + 1 : day - 2;
  return day;
}

function weekdaysMask(days: Weekdays, length: number, firstWeekday: number): number {
  let mask = 0;
  for (let day = 1; day <= length; day++) {
    if (days.mask & bit((firstWeekday + day - 1) % 7)) mask |= bit(day - 1);
  }
  for (const { weekday, n } of days.nth) {
    const day = firstDayWith(weekday, firstWeekday) + (n - 1) * 7;
    if (day <= length) mask |= bit(day - 1);
  }
  for (const weekday of days.last) {
    const first = firstDayWith(weekday, firstWeekday);
    mask |= bit(first + Math.floor((length - first) / 7) * 7 - 1);
  }
  return mask;
}

const firstDayWith = (weekday: number, firstWeekday: number): number =>
  ((weekday - firstWeekday + 7) % 7) + 1;
