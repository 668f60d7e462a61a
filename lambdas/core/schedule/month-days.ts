import { lowestBit } from './bits';
import { civilDateOf, dayNumberOf, daysInMonth } from './civil';

/** Days of a month as bits: day 1 is bit 0. */
export type MonthDays = (year: number, month: number) => number;

const LAST_MONTH = 12;

/** Tells of many days, one after another, whether a set has them. It reads a month at once. */
export class DaysByMonth {
  private firstDay = 0;
  private length = 0;
  private days = 0;

  constructor(private readonly daysOf: MonthDays) {}

  has(day: number): boolean {
    if (day < this.firstDay || day >= this.firstDay + this.length) this.read(day);
    return (this.days & (1 << (day - this.firstDay))) !== 0;
  }

  private read(ofDay: number): void {
    const { year, month, day } = civilDateOf(ofDay);
    [this.firstDay, this.length] = [ofDay - day + 1, daysInMonth(year, month)];
    this.days = this.daysOf(year, month);
  }
}

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
