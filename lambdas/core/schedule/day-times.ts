import { countBits, lowestBit } from './bits';
import { remainder, SECONDS_PER_DAY } from './civil';
import type { CronExpression } from './cron-expression';
import type { AddToMinute } from './occurrences';
import { ValueSet } from './value-set';

/** A set of times of day: each of the hours with each of the minutes and seconds. */
export type TimesOfDay = Pick<CronExpression, 'hours' | 'minutes' | 'seconds'>;

/** A part of a day, in seconds since midnight: `[fromSec, untilSec)`. */
export interface DayPart {
  fromSec: number;
  untilSec: number;
  /** What is added to a second of the day to get seconds since the epoch, by which minutes are counted. */
  shiftSec: number;
}

/** Seconds of a minute, as bits: 0 to 29, and 30 to 59. */
interface Seconds {
  low: number;
  high: number;
}

/** An hour or a minute that is planned, and which exclusions have it. */
interface Slot {
  startSec: number;
  excludedBy: number;
}

const HALF_MINUTE = 30;
const MINUTE = 60;
const HOUR = 3_600;
const MINUTES_PER_DAY = 1_440;

/**
 * The times of day of a plan, without those that exclusions take away. Exclusions differ from day to day:
 * `by` names those of a day, as bits of their indexes. Hours with equal exclusions are counted once, so that
 * a day costs at most 24 additions, and a search in it at most 150 steps.
 */
export class DayTimes {
  static readonly NONE = -1;
  /** By hour and by minute; undefined where nothing is planned. */
  private readonly hours: readonly (Slot | undefined)[];
  private readonly minutes: readonly (Slot | undefined)[];
  private readonly planned: Seconds;
  private readonly excluded: readonly Seconds[];
  private readonly secondsBy = new Map<number, Seconds>();
  private readonly hourCounts = new Map<number, number>();
  private readonly dayCounts = new Map<number, number>();
  private readonly minuteCounts = new Map<number, Uint8Array>();

  /** @param excluded at most 30 */
  constructor(planned: TimesOfDay, excluded: readonly TimesOfDay[]) {
    this.hours = slotsOf(
      planned.hours,
      HOUR,
      excluded.map(({ hours }) => hours),
    );
    this.minutes = slotsOf(
      planned.minutes,
      MINUTE,
      excluded.map(({ minutes }) => minutes),
    );
    this.planned = secondsOf(planned.seconds);
    this.excluded = excluded.map(({ seconds }) => secondsOf(seconds));
  }

  /** How many a day has that these exclusions apply to. */
  count(by: number): number {
    let count = this.dayCounts.get(by);
    if (count === undefined) this.dayCounts.set(by, (count = this.countBefore(by, SECONDS_PER_DAY)));
    return count;
  }

  /** How many of them are earlier than `sec`, in seconds since midnight. */
  countBefore(by: number, sec: number): number {
    let count = 0;
    for (const hour of this.hours) {
      if (!hour) continue;
      const leftSec = sec - hour.startSec;
      if (leftSec <= 0) break;
      const byHour = by & hour.excludedBy;
      count += leftSec >= HOUR ? this.countOfHour(byHour) : this.countInHour(byHour, leftSec);
    }
    return count;
  }

  /** The first that is not earlier than `sec`, or `NONE`. */
  next(by: number, sec: number): number {
    for (const hour of this.hours) {
      if (!hour || hour.startSec + HOUR <= sec) continue;
      const byHour = by & hour.excludedBy;
      if (this.countOfHour(byHour) === 0) continue;
      for (const minute of this.minutes) {
        if (!minute) continue;
        const startSec = hour.startSec + minute.startSec;
        if (startSec + MINUTE <= sec) continue;
        const second = secondFrom(this.seconds(byHour & minute.excludedBy), Math.max(0, sec - startSec));
        if (second !== DayTimes.NONE) return startSec + second;
      }
    }
    return DayTimes.NONE;
  }

  /** Adds up those of a part of a day by minute: at most 1,441 steps. */
  addByMinute(by: number, { fromSec, untilSec, shiftSec }: DayPart, add: AddToMinute): void {
    const phaseSec = remainder(shiftSec, MINUTE);
    const firstMinute = (shiftSec - phaseSec) / MINUTE;
    const counts = this.countsOfMinutes(by, phaseSec);
    for (let at = Math.floor((fromSec + phaseSec) / MINUTE); at * MINUTE - phaseSec < untilSec; at++) {
      const startSec = at * MINUTE - phaseSec;
      const isWhole = startSec >= fromSec && startSec + MINUTE <= untilSec;
      const count = isWhole
        ? counts[at]!
        : this.countBefore(by, Math.min(startSec + MINUTE, untilSec)) -
          this.countBefore(by, Math.max(startSec, fromSec));
      if (count > 0) add(firstMinute + at, count);
    }
  }

  /** The exclusions of a day that have this minute, from 0 to 1,439. The minute must be planned. */
  exclusionsOfMinute(by: number, minuteOfDay: number): number {
    const hour = this.hours[Math.floor(minuteOfDay / 60)]!;
    return by & hour.excludedBy & this.minutes[minuteOfDay % 60]!.excludedBy;
  }

  /** Whether the second of a minute is one of them. @param byMinute see `exclusionsOfMinute` */
  hasInMinute(byMinute: number, sec: number): boolean {
    return secondFrom(this.seconds(byMinute), sec) === sec;
  }

  /** The exclusions of a day that have this hour; undefined if the hour is not planned. */
  exclusionsOfHour(by: number, hour: number): number | undefined {
    const slot = this.hours[hour];
    return slot && by & slot.excludedBy;
  }

  /** The exclusions of an hour that have a minute of it, from 0 to 59. The minute must be planned. */
  exclusionsInHour(byHour: number, minute: number): number {
    return byHour & this.minutes[minute]!.excludedBy;
  }

  /** How many each minute of a day has, if minutes begin `phaseSec` before those of the day. */
  private countsOfMinutes(by: number, phaseSec: number): Uint8Array {
    const key = by * MINUTE + phaseSec;
    let counts = this.minuteCounts.get(key);
    if (counts) return counts;
    counts = new Uint8Array(MINUTES_PER_DAY + 1);
    for (const hour of this.hours) {
      if (!hour) continue;
      for (const minute of this.minutes) {
        if (!minute) continue;
        const seconds = this.seconds(by & hour.excludedBy & minute.excludedBy);
        const early = countSeconds(seconds, MINUTE - phaseSec);
        const at = (hour.startSec + minute.startSec) / MINUTE;
        counts[at]! += early;
        counts[at + 1]! += countSeconds(seconds, MINUTE) - early;
      }
    }
    this.minuteCounts.set(key, counts);
    return counts;
  }

  private countOfHour(byHour: number): number {
    let count = this.hourCounts.get(byHour);
    if (count === undefined) this.hourCounts.set(byHour, (count = this.countInHour(byHour, HOUR)));
    return count;
  }

  private countInHour(byHour: number, untilSec: number): number {
    let count = 0;
    for (const minute of this.minutes) {
      if (!minute) continue;
      const leftSec = untilSec - minute.startSec;
      if (leftSec <= 0) break;
      count += countSeconds(this.seconds(byHour & minute.excludedBy), leftSec);
    }
    return count;
  }

  /** The seconds left of a minute that these exclusions have in its hour and its minute. */
  private seconds(by: number): Seconds {
    let left = this.secondsBy.get(by);
    if (left) return left;
    let { low, high } = this.planned;
    for (const [index, seconds] of this.excluded.entries()) {
      if ((by & (1 << index)) === 0) continue;
      low &= ~seconds.low;
      high &= ~seconds.high;
    }
    left = { low, high };
    this.secondsBy.set(by, left);
    return left;
  }
}

function slotsOf(planned: ValueSet, lengthSec: number, excluded: readonly ValueSet[]): (Slot | undefined)[] {
  const slots: (Slot | undefined)[] = [];
  for (let value = planned.first; value !== ValueSet.NONE; value = planned.atOrAfter(value + 1)) {
    let excludedBy = 0;
    for (const [index, set] of excluded.entries()) if (set.has(value)) excludedBy |= 1 << index;
    slots[value] = { startSec: value * lengthSec, excludedBy };
  }
  return slots;
}

function secondsOf(set: ValueSet): Seconds {
  const seconds: Seconds = { low: 0, high: 0 };
  for (let value = set.first; value !== ValueSet.NONE; value = set.atOrAfter(value + 1)) {
    if (value < HALF_MINUTE) seconds.low |= 1 << value;
    else seconds.high |= 1 << (value - HALF_MINUTE);
  }
  return seconds;
}

/** How many are less than `untilSec`. */
function countSeconds({ low, high }: Seconds, untilSec: number): number {
  if (untilSec >= MINUTE) return countBits(low) + countBits(high);
  if (untilSec >= HALF_MINUTE)
    return countBits(low) + countBits(high & ((1 << (untilSec - HALF_MINUTE)) - 1));
  return countBits(low & ((1 << untilSec) - 1));
}

/** The first that is not less than `sec`, or `NONE`. */
function secondFrom({ low, high }: Seconds, sec: number): number {
  const first = sec < HALF_MINUTE ? low & (-1 << sec) : 0;
  if (first !== 0) return lowestBit(first);
  const second = high & (-1 << Math.max(0, sec - HALF_MINUTE));
  return second === 0 ? DayTimes.NONE : HALF_MINUTE + lowestBit(second);
}
