import { SECONDS_PER_DAY } from './civil';
import type { DayPart, DayTimes } from './day-times';
import type { AddToMinute } from './occurrences';

const MINUTE = 60;
const HOUR = 3_600;

/**
 * Counts the times of a day that lie a fixed number of seconds apart and are not excluded. It caches whole
 * hours, which differ by their exclusions and their first time alone. So a day costs at most 24 steps, once
 * those hours were counted.
 */
export class SteadyDay {
  private readonly hours = new Map<number, number>();
  private readonly minutes = new Map<number, number>();
  private readonly firsts = new Map<number, number>();

  constructor(
    private readonly times: DayTimes,
    private readonly everySec: number,
  ) {}

  /**
   * Those earlier than `untilSec`, in seconds since midnight.
   *
   * @param by the exclusions of the day
   * @param phaseSec the first time, excluded or not; may lie beyond the day
   */
  countBefore(by: number, phaseSec: number, untilSec: number): number {
    if (this.times.count(by) === 0) return 0;
    let count = 0;
    const endSec = Math.min(untilSec, SECONDS_PER_DAY);
    for (let sec = phaseSec; sec < endSec;) {
      const hour = Math.floor(sec / HOUR);
      const byHour = this.times.exclusionsOfHour(by, hour) ?? 0;
      const leftSec = Math.min(endSec - hour * HOUR, HOUR);
      count += this.countInHour(byHour, sec - hour * HOUR, leftSec);
      sec += Math.ceil(((hour + 1) * HOUR - sec) / this.everySec) * this.everySec;
    }
    return count;
  }

  /**
   * Adds up those of a part of the day by minute. Its cost follows from the minutes, not from the times.
   *
   * @param phaseSec as for `countBefore`
   */
  addByMinute(
    by: number,
    phaseSec: number,
    { fromSec, untilSec, shiftSec }: DayPart,
    add: AddToMinute,
  ): void {
    const stepsBefore = Math.max(0, Math.ceil((fromSec - phaseSec) / this.everySec));
    for (let sec = phaseSec + stepsBefore * this.everySec; sec < untilSec;) {
      const minute = Math.floor((sec + shiftSec) / MINUTE);
      const endSec = Math.min(
        untilSec,
        (minute + 1) * MINUTE - shiftSec,
        (Math.floor(sec / MINUTE) + 1) * MINUTE,
      );
      const count = this.countInMinute(by, sec, endSec);
      if (count > 0) add(minute, count);
      sec += Math.ceil((endSec - sec) / this.everySec) * this.everySec;
    }
  }

  /**
   * The first of them in the hour of `sec`, and not before it; the end of that hour if it has no more.
   *
   * @param sec one of the times, excluded or not
   */
  past(by: number, sec: number): number {
    const hour = Math.floor(sec / HOUR);
    const [startSec, endSec] = [hour * HOUR, (hour + 1) * HOUR];
    const byHour = this.times.exclusionsOfHour(by, hour) ?? 0;
    if (this.countInHour(byHour, (sec - startSec) % this.everySec, HOUR) === 0) return endSec;
    for (let at = sec; at < endSec;) {
      const minute = Math.floor((at - startSec) / MINUTE);
      const minuteStartSec = startSec + minute * MINUTE;
      const firstSec = this.firstSecond(this.times.exclusionsInHour(byHour, minute), at - minuteStartSec);
      if (firstSec < MINUTE) return minuteStartSec + firstSec;
      at += Math.ceil((minuteStartSec + MINUTE - at) / this.everySec) * this.everySec;
    }
    return endSec;
  }

  /** The first of the times of a minute from `fromSec`, which is one, that is not excluded; 60 if none is. */
  private firstSecond(byMinute: number, fromSec: number): number {
    const key = byMinute * MINUTE + fromSec;
    let first = this.firsts.get(key);
    if (first !== undefined) return first;
    first = fromSec;
    while (first < MINUTE && !this.times.hasInMinute(byMinute, first)) first += this.everySec;
    first = Math.min(first, MINUTE);
    this.firsts.set(key, first);
    return first;
  }

  /** Those of one minute of the day, from `sec`, which is one of the times, excluded or not. */
  private countInMinute(by: number, sec: number, untilSec: number): number {
    const startSec = Math.floor(sec / MINUTE) * MINUTE;
    const byMinute = this.times.exclusionsOfMinute(by, startSec / MINUTE);
    return this.countSeconds(byMinute, sec - startSec, untilSec - startSec);
  }

  /** The same by the exclusions of the minute, and in its seconds. */
  private countSeconds(byMinute: number, fromSec: number, untilSec: number): number {
    const key = (byMinute * MINUTE + fromSec) * (MINUTE + 1) + untilSec;
    let count = this.minutes.get(key);
    if (count !== undefined) return count;
    count = 0;
    for (let sec = fromSec; sec < untilSec; sec += this.everySec)
      if (this.times.hasInMinute(byMinute, sec)) count++;
    this.minutes.set(key, count);
    return count;
  }

  private countInHour(byHour: number, firstSec: number, untilSec: number): number {
    if (untilSec < HOUR) return this.countSteps(byHour, firstSec, untilSec);
    const key = byHour * SECONDS_PER_DAY + firstSec;
    let count = this.hours.get(key);
    if (count === undefined) this.hours.set(key, (count = this.countSteps(byHour, firstSec, untilSec)));
    return count;
  }

  private countSteps(byHour: number, firstSec: number, untilSec: number): number {
    let count = 0;
    for (let sec = firstSec; sec < untilSec;) {
      const minute = Math.floor(sec / MINUTE);
      const [startSec, endSec] = [minute * MINUTE, Math.min(untilSec, (minute + 1) * MINUTE)];
      const byMinute = this.times.exclusionsInHour(byHour, minute);
      count += this.countSeconds(byMinute, sec - startSec, endSec - startSec);
      sec += Math.ceil((endSec - sec) / this.everySec) * this.everySec;
    }
    return count;
  }
}
