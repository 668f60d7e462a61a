import { SECONDS_PER_DAY } from './civil';
import type { DayTimes } from './day-times';

const HOUR = 3_600;
const HOURS = 24;

/** At least 0, and less than `by`. */
export const remainder = (value: number, by: number): number => ((value % by) + by) % by;

/**
 * Counts the times of a day that lie a fixed number of seconds apart and are not excluded. It remembers whole
 * hours, which differ by their exclusions and their first time alone. So a day costs at most 24 steps, once
 * those hours were counted.
 */
export class SteadyDay {
  private readonly hours = new Map<number, number>();

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
    const firstHour = Math.floor(phaseSec / HOUR);
    const hours = Math.min(HOURS, Math.ceil(untilSec / HOUR));
    for (let hour = firstHour; hour < hours; hour++) {
      const byHour = this.times.exclusionsOfHour(by, hour) ?? 0;
      const firstSec = remainder(phaseSec - hour * HOUR, this.everySec);
      const leftSec = Math.min(untilSec - hour * HOUR, HOUR);
      if (firstSec < leftSec) count += this.countInHour(byHour, firstSec, leftSec);
    }
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
    for (let sec = firstSec; sec < untilSec; sec += this.everySec)
      if (this.times.hasInHour(byHour, sec)) count++;
    return count;
  }
}
