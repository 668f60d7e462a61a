import { firstCommonDay, type MonthDays } from './month-days';

export const EACH_DAY: MonthDays = () => -1;

/**
 * Finds the nearest free day to each of many days, one after another. It remembers a row of days that are not
 * free. So neighbouring days read each day once.
 */
export class NearestFreeDay {
  private readonly sign: 1 | -1;
  // The row: from `from`, before `to`, in the direction of the search.
  private from = 0;
  private to = 0;
  private isToFree = false;

  constructor(
    private readonly isFree: (day: number) => boolean,
    to: 'next-day' | 'previous-day',
    private readonly mostDays: number,
  ) {
    this.sign = to === 'next-day' ? 1 : -1;
  }

  /** The day itself if it is free. Undefined: none is within the most days. */
  find(day: number): number | undefined {
    const start = day * this.sign;
    const last = start + this.mostDays;
    let [at, isFree] = [start, false];
    while (!isFree) {
      if (at >= this.from && at < this.to) at = this.to;
      if (at === this.to && this.isToFree) isFree = true;
      else if (at > last) break;
      else if (this.isFree(at * this.sign)) isFree = true;
      else at++;
    }
    if (start < this.from || start > this.to) this.from = start;
    [this.to, this.isToFree] = [at, isFree];
    return isFree && at <= last ? at * this.sign : undefined;
  }
}

/** Finds the first day of a set that is not before each of many days. It remembers the last search. */
export class FirstDaySearch {
  private from = Number.POSITIVE_INFINITY;
  private through = Number.NEGATIVE_INFINITY;
  private found: number | undefined;

  constructor(private readonly days: MonthDays) {}

  /** Undefined: none comes through `lastDay`. */
  find(fromDay: number, lastDay: number): number | undefined {
    const isKnown = fromDay >= this.from && (this.found === undefined ? lastDay : fromDay) <= this.through;
    if (!isKnown) {
      this.found = firstCommonDay(this.days, EACH_DAY, fromDay, lastDay);
      [this.from, this.through] = [fromDay, this.found ?? lastDay];
    }
    return this.found;
  }
}
