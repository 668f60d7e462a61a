import { bitsOf, lowestBit } from './bits';
import { civilDateOf, daysInMonth } from './civil';
import type { CronCalendar } from './cron-calendar';
import { firstIndex } from './first-index';
import { DaysByMonth } from './month-days';

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

/** Finds the exclusions that apply to each of many days, one after another. */
export class ExclusionsOfDays {
  private readonly exclusions: readonly DaysByMonth[];

  constructor(exclusions: readonly CronCalendar[]) {
    this.exclusions = exclusions.map((one) => new DaysByMonth((year, month) => one.daysOf(year, month)));
  }

  /** As bits: see `PlannedDays`. */
  on(day: number): number {
    return bitsOf(this.exclusions, (one) => one.has(day));
  }
}

/** The day itself, or the one after the range that has it. @param ranges sorted, and none touches another */
export function afterExcluded(day: number, ranges: readonly DayRange[]): number {
  const range = ranges[firstIndex(ranges, ({ lastDay }) => lastDay < day)];
  return range && range.firstDay <= day ? range.lastDay + 1 : day;
}

/** The days of a month that ranges have, as bits: day 1 is bit 0. @param ranges as for `afterExcluded` */
export function excludedIn(startDay: number, length: number, ranges: readonly DayRange[]): number {
  let mask = 0;
  for (let index = firstIndex(ranges, (range) => range.lastDay < startDay); index < ranges.length; index++) {
    const { firstDay, lastDay } = ranges[index]!;
    if (firstDay >= startDay + length) break;
    const [from, to] = [Math.max(firstDay - startDay, 0), Math.min(lastDay - startDay, length - 1)];
    mask |= (ALL_DAYS << from) & (ALL_DAYS >>> (31 - to));
  }
  return mask;
}

/** Days in as few ranges as possible: sorted, and none touches another. */
export function mergedRanges(ranges: readonly DayRange[]): DayRange[] {
  const merged: DayRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.firstDay - b.firstDay)) {
    const last = merged.at(-1);
    if (last && range.firstDay <= last.lastDay + 1) last.lastDay = Math.max(last.lastDay, range.lastDay);
    else merged.push({ ...range });
  }
  return merged;
}
