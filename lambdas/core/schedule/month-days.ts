import { lowestBit } from './bits';
import { civilDateOf, dayNumberOf } from './civil';

/** Days of a month as bits: day 1 is bit 0. */
export type MonthDays = (year: number, month: number) => number;

const LAST_MONTH = 12;

/**
 * The first day from `fromDay` to `lastDay` that both sets have; undefined if there is none. A month costs a
 * few steps, however many of its days only one of them has.
 */
export function firstCommonDay(
  one: MonthDays,
  other: MonthDays,
  fromDay: number,
  lastDay: number,
): number | undefined {
  const from = civilDateOf(fromDay);
  let { year, month } = from;
  let left = -1 << (from.day - 1);
  for (let firstDay = dayNumberOf(year, month, 1); firstDay <= lastDay;) {
    const days = one(year, month) & left;
    const common = days === 0 ? 0 : days & other(year, month);
    if (common !== 0) {
      const day = firstDay + lowestBit(common);
      return day <= lastDay ? day : undefined;
    }
    [year, month] = month === LAST_MONTH ? [year + 1, 1] : [year, month + 1];
    left = -1;
    firstDay = dayNumberOf(year, month, 1);
  }
  return undefined;
}
