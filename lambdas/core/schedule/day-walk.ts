import { lowestBit } from './bits';
import { civilDateOf, daysInMonth } from './civil';
import type { CronCalendar } from './cron-calendar';

/** Days that are excluded: numbers since 1970-01-01, both included. */
export interface DayRange {
  firstDay: number;
  lastDay: number;
}

/** The days of a plan, and which exclusions apply to each. */
export interface PlannedDays {
  /** Absent: every day. */
  calendar?: CronCalendar;
  /** Sorted, and none touches another. */
  excludedDays: readonly DayRange[];
  /** Those whose exclusions of times apply: bit n of `by` is the n-th. At most 30. */
  exclusions: readonly CronCalendar[];
  /** Whether a walk may pass over a month, because its days have nothing to visit. Absent: it may not. */
  isEmptyMonth?(year: number, month: number): boolean;
}

const ALL_DAYS = -1;

/**
 * Visits the planned days from `firstDay` through `lastDay`, ascending, until `visit` returns true. It reads
 * the calendars by the month, and passes over excluded ranges at once.
 *
 * @param visit `by`: the exclusions that apply to the day
 */
export function walkDays(
  { calendar, excludedDays, exclusions, isEmptyMonth }: PlannedDays,
  firstDay: number,
  lastDay: number,
  visit: (day: number, by: number) => boolean | void,
): void {
  const masks = exclusions.map(() => 0);
  let day = firstDay;
  while ((day = afterExcluded(day, excludedDays)) <= lastDay) {
    const date = civilDateOf(day);
    const startDay = day - date.day + 1;
    const length = daysInMonth(date.year, date.month);
    let days = calendar ? calendar.daysOf(date.year, date.month) : ALL_DAYS >>> (32 - length);
    days &= ALL_DAYS << (date.day - 1);
    if (days !== 0 && isEmptyMonth?.(date.year, date.month)) days = 0;
    if (days !== 0) {
      days &= ~excludedIn(startDay, length, excludedDays);
      for (const [index, one] of exclusions.entries()) masks[index] = one.daysOf(date.year, date.month);
    }
    for (; days !== 0; days &= days - 1) {
      const index = lowestBit(days);
      if (startDay + index > lastDay) return;
      let by = 0;
      for (let each = 0; each < masks.length; each++) if (masks[each]! & (1 << index)) by |= 1 << each;
      if (visit(startDay + index, by)) return;
    }
    day = startDay + length;
  }
}

/** The exclusions that apply to a day, as bits: see `PlannedDays`. */
export function exclusionsOn(day: number, exclusions: readonly CronCalendar[]): number {
  const date = civilDateOf(day);
  let by = 0;
  for (const [index, one] of exclusions.entries())
    if (one.daysOf(date.year, date.month) & (1 << (date.day - 1))) by |= 1 << index;
  return by;
}

function afterExcluded(day: number, ranges: readonly DayRange[]): number {
  const range = ranges.find(({ lastDay }) => lastDay >= day);
  return range && range.firstDay <= day ? range.lastDay + 1 : day;
}

/** The days of a month that ranges have, as bits: day 1 is bit 0. */
export function excludedIn(startDay: number, length: number, ranges: readonly DayRange[]): number {
  let mask = 0;
  for (const { firstDay, lastDay } of ranges) {
    if (firstDay >= startDay + length) break;
    for (let day = Math.max(firstDay, startDay); day <= Math.min(lastDay, startDay + length - 1); day++)
      mask |= 1 << (day - startDay);
  }
  return mask;
}

/** The same days as few ranges: sorted, and none touches another. */
export function mergedRanges(ranges: readonly DayRange[]): DayRange[] {
  const merged: DayRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.firstDay - b.firstDay)) {
    const last = merged.at(-1);
    if (last && range.firstDay <= last.lastDay + 1) last.lastDay = Math.max(last.lastDay, range.lastDay);
    else merged.push({ ...range });
  }
  return merged;
}
