import { SECONDS_PER_DAY } from './civil';
import type { DayPart, DayTimes } from './day-times';
import type { AddToMinute } from './occurrences';

const MINUTE = 60;
const HOUR = 3_600;
const UNKNOWN = -1;
/** Many days begin with the same second then, so what is the first of a day is often known. */
const OFTEN = 2 * HOUR;

/**
 * Counts the times of a day that lie a fixed number of seconds apart and are not excluded. It caches whole
 * days and hours, which differ by their exclusions and their first time alone. So a day costs at most 24
 * steps, once those hours were counted, and one step if an equal day was.
 */
export class SteadyDay {
  private readonly days = new Map<number, number>();
  private readonly hours = new Map<number, number>();
  private readonly minutes = new Map<number, number>();
  /** By exclusions of a day, and its first second. */
  private readonly firstsOfDays = new Map<number, number>();
  /** By exclusions of the hour, and by second of it: see `firstInHour`. */
  private readonly firsts = new Map<number, Int32Array>();

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
    if (phaseSec >= untilSec || this.times.count(by) === 0) return 0;
    if (untilSec < SECONDS_PER_DAY) return this.countHours(by, phaseSec, untilSec);
    const key = by * SECONDS_PER_DAY + phaseSec;
    let count = this.days.get(key);
    if (count === undefined) this.days.set(key, (count = this.countHours(by, phaseSec, SECONDS_PER_DAY)));
    return count;
  }

  private countHours(by: number, phaseSec: number, endSec: number): number {
    let count = 0;
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
   * The first of them that is not before `sec`; the end of the day, or later, if it has no more.
   *
   * @param sec one of the times, excluded or not
   */
  next(by: number, sec: number): number {
    if (sec >= this.everySec || this.everySec > OFTEN) return this.search(by, sec);
    const key = by * SECONDS_PER_DAY + sec;
    let at = this.firstsOfDays.get(key);
    if (at === undefined) this.firstsOfDays.set(key, (at = this.search(by, sec)));
    return at;
  }

  private search(by: number, sec: number): number {
    let at = sec;
    while (at < SECONDS_PER_DAY) {
      const hour = Math.floor(at / HOUR);
      const first = this.firstInHour(this.times.exclusionsOfHour(by, hour) ?? 0, at - hour * HOUR);
      at = hour * HOUR + first;
      if (first < HOUR) return at;
    }
    return at;
  }

  /**
   * The first of the times of an hour from `sec`, which is one, that is not excluded. If none is: the first
   * beyond the hour, excluded or not.
   */
  private firstInHour(byHour: number, sec: number): number {
    if (sec >= HOUR) return sec;
    let firsts = this.firsts.get(byHour);
    if (!firsts) this.firsts.set(byHour, (firsts = new Int32Array(HOUR).fill(UNKNOWN)));
    const known = firsts[sec]!;
    if (known !== UNKNOWN) return known;
    const minute = Math.floor(sec / MINUTE);
    const endSec = (minute + 1) * MINUTE;
    const byMinute = this.times.exclusionsInHour(byHour, minute);
    let at = sec;
    while (at < endSec && !this.times.hasInMinute(byMinute, at - minute * MINUTE)) at += this.everySec;
    return (firsts[sec] = at < endSec ? at : this.firstInHour(byHour, at));
  }

  /** Those of one minute of the day, from `sec`, which is one of the times, excluded or not. */
  private countInMinute(by: number, sec: number, untilSec: number): number {
    const startSec = Math.floor(sec / MINUTE) * MINUTE;
    const byMinute = this.times.exclusionsOfMinute(by, startSec / MINUTE);
    return this.countSeconds(byMinute, sec - startSec, untilSec - startSec);
  }

  /** The times of one minute that are left by its exclusions, between two of its seconds. */
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
