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
