import { bitsOf } from './bits';
import { dayNumberOf, daysInMonth, SECONDS_PER_DAY } from './civil';
import type { DaySet } from './day-set';
import { firstIndex } from './first-index';
import { LAST_WALL_SEC } from './wall-plan';
import { MAX_OFFSET_DIFFERENCE_SEC, type Zone } from './zone';

/** Instants `[fromSec, untilSec)`, in seconds since the epoch. */
export interface SecondRange {
  fromSec: number;
  untilSec: number;
}

/** Days of a zone, one after another, whose local times are all `offsetSec` ahead of UTC. */
export interface LocalDays {
  firstDay: number;
  offsetSec: number;
}

/** Seconds `[fromSec, untilSec)` that are all in a set, or all outside of it. */
interface Run extends SecondRange {
  isIn: boolean;
}

/**
 * The instants of a calendar: whole days of a zone, and ranges of instants. Its searches jump from boundary
 * to boundary, so that their cost does not grow with the length of a gap.
 */
export class TimeSet {
  /** What was found last. Times of a schedule are asked for in order, and many of them lie in one run. */
  private last: Run = { fromSec: 0, untilSec: 0, isIn: false };

  /** @param ranges sorted, and none touches another */
  constructor(
    private readonly days: DaySet,
    private readonly ranges: readonly SecondRange[],
    private readonly zone: Zone,
  ) {}

  /** The last explicit second; `-Infinity` without any. Later days repeat with the calendar. */
  get lastExplicitSec(): number {
    const lastRangeSec = this.ranges.at(-1)?.untilSec ?? Number.NEGATIVE_INFINITY;
    return Math.max(lastRangeSec, (this.days.lastExplicitDay + 2) * SECONDS_PER_DAY);
  }

  has(sec: number): boolean {
    return this.days.has(this.dayAt(sec)) || this.rangeFrom(sec).fromSec <= sec;
  }

  /**
   * Adds which times of day the set has on each of some days, as bits. Each day costs the same, however many
   * times of day there are.
   *
   * @param timesOfDay in seconds since midnight, ascending; at most 31
   * @param bits by day: what is added to
   */
  addTimes(days: LocalDays, timesOfDay: readonly number[], bits: Int32Array): void {
    this.addWholeDays(days, timesOfDay, bits);
    this.addRanges(days, timesOfDay, bits);
  }

  private addWholeDays(
    { firstDay, offsetSec }: LocalDays,
    timesOfDay: readonly number[],
    bits: Int32Array,
  ): void {
    const [firstTime, lastTime] = [timesOfDay[0]!, timesOfDay.at(-1)!];
    for (let index = 0; index < bits.length;) {
      const startSec = (firstDay + index) * SECONDS_PER_DAY - offsetSec;
      const segment = this.zone.segmentAt(startSec + firstTime);
      const steadyDays = Math.ceil((segment.endSec - startSec - lastTime) / SECONDS_PER_DAY);
      if (steadyDays <= 0) {
        bits[index++]! |= bitsOf(timesOfDay, (time) => this.days.has(this.dayAt(startSec + time)));
        continue;
      }
      const to = Math.min(index + steadyDays, bits.length);
      for (const { laterDays, times } of daysElsewhere(timesOfDay, segment.offsetSec - offsetSec))
        for (let each = index; each < to; each++)
          if (this.days.has(firstDay + each + laterDays)) bits[each]! |= times;
      index = to;
    }
  }

  private addRanges(
    { firstDay, offsetSec }: LocalDays,
    timesOfDay: readonly number[],
    bits: Int32Array,
  ): void {
    const startSec = firstDay * SECONDS_PER_DAY - offsetSec;
    const endSec = startSec + bits.length * SECONDS_PER_DAY;
    for (let at = this.rangeIndexFrom(startSec); at < this.ranges.length; at++) {
      const { fromSec, untilSec } = this.ranges[at]!;
      if (fromSec >= endSec) return;
      const first = Math.max(0, Math.floor((fromSec - startSec) / SECONDS_PER_DAY));
      const end = Math.min(bits.length, Math.ceil((untilSec - startSec) / SECONDS_PER_DAY));
      for (let index = first; index < end; index++) {
        const dayStartSec = startSec + index * SECONDS_PER_DAY;
        bits[index]! |= bitsBetween(timesOfDay, fromSec - dayStartSec, untilSec - dayStartSec);
      }
    }
  }

  /** Whole days of the set in a month of `zone`: those it knows, and maybe not all. */
  wholeDaysOf(zone: Zone, year: number, month: number): number {
    return zone.name === this.zone.name ? this.days.daysOf(year, month) : 0;
  }

  /** Days of a month of `zone` on which the set has an instant, and maybe further ones. */
  touchedDaysOf(zone: Zone, year: number, month: number): number {
    const startSec = dayNumberOf(year, month, 1) * SECONDS_PER_DAY;
    const endSec = startSec + daysInMonth(year, month) * SECONDS_PER_DAY;
    const nearRange = this.rangeFrom(startSec - MAX_OFFSET_DIFFERENCE_SEC);
    const hasRange = nearRange.fromSec < endSec + MAX_OFFSET_DIFFERENCE_SEC;
    return zone.name === this.zone.name && !hasRange ? this.days.daysOf(year, month) : ALL_DAYS;
  }

  /** The first second of the set that is not before `sec`; Infinity if none comes. */
  nextIn(sec: number): number {
    const { isIn, untilSec } = this.runAt(sec);
    return isIn ? sec : untilSec;
  }

  /** The first second outside of the set that is not before `sec`; Infinity if none comes. */
  nextOut(sec: number): number {
    const { isIn, untilSec } = this.runAt(sec);
    return isIn ? untilSec : sec;
  }

  /** The rest of the run of seconds that has an instant, from there on. */
  private runAt(sec: number): Run {
    if (sec >= this.last.fromSec && sec < this.last.untilSec) return this.last;
    const isIn = this.has(sec);
    return (this.last = { fromSec: sec, untilSec: isIn ? this.endOfSet(sec) : this.startOfSet(sec), isIn });
  }

  private startOfSet(sec: number): number {
    return Math.min(
      this.rangeFrom(sec).fromSec,
      this.firstDay(sec, (day) => this.days.nextIn(day)),
    );
  }

  private endOfSet(sec: number): number {
    let out = sec;
    for (let passed = 0; passed <= this.ranges.length; passed++) {
      out = this.firstDay(out, (day) => this.days.nextOut(day));
      const range = this.rangeFrom(out);
      if (range.fromSec > out || out === Number.POSITIVE_INFINITY) return out;
      out = range.untilSec;
    }
    return out;
  }

  /** The local day of an instant. */
  dayAt = (sec: number): number => Math.floor((sec + this.zone.segmentAt(sec).offsetSec) / SECONDS_PER_DAY);

  /** The first second, not before `fromSec`, of the local day that `search` finds from a local day on. */
  private firstDay(fromSec: number, search: (day: number) => number): number {
    for (let sec = fromSec; sec <= LAST_WALL_SEC;) {
      const { offsetSec, endSec, offsetAfterSec } = this.zone.segmentAt(sec);
      const day = Math.floor((sec + offsetSec) / SECONDS_PER_DAY);
      const found = search(day);
      if (found === day) return sec;
      const foundWallSec = found * SECONDS_PER_DAY;
      if (foundWallSec > LAST_WALL_SEC) return Number.POSITIVE_INFINITY;
      if (foundWallSec - offsetSec < endSec) return foundWallSec - offsetSec;
      // clocks that go back over midnight return to a day before
      const goesBack = Math.floor((endSec + offsetAfterSec) / SECONDS_PER_DAY) < day;
      sec = goesBack ? endSec : Math.max(endSec, foundWallSec - MAX_OFFSET_DIFFERENCE_SEC);
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The first range that ends after `sec`. */
  private rangeFrom = (sec: number): SecondRange => this.ranges[this.rangeIndexFrom(sec)] ?? NO_RANGE;

  private rangeIndexFrom = (sec: number): number =>
    firstIndex(this.ranges, ({ untilSec }) => untilSec <= sec);
}

/**
 * Groups times of day, as bits, by their day in a zone whose clocks are ahead by `aheadSec`. That is the same
 * day, or so many days later.
 */
function daysElsewhere(
  timesOfDay: readonly number[],
  aheadSec: number,
): { laterDays: number; times: number }[] {
  const laterDaysOf = (time: number) => Math.floor((time + aheadSec) / SECONDS_PER_DAY);
  const found: { laterDays: number; times: number }[] = [];
  for (
    let laterDays = laterDaysOf(timesOfDay[0]!);
    laterDays <= laterDaysOf(timesOfDay.at(-1)!);
    laterDays++
  ) {
    const startTime = laterDays * SECONDS_PER_DAY - aheadSec;
    found.push({ laterDays, times: bitsBetween(timesOfDay, startTime, startTime + SECONDS_PER_DAY) });
  }
  return found;
}

const bitsBetween = (times: readonly number[], fromTime: number, untilTime: number): number =>
  bitsOf(times, (time) => time >= fromTime && time < untilTime);

/** As bits, like those of a month. */
const ALL_DAYS = -1;
const NO_RANGE: SecondRange = { fromSec: Number.POSITIVE_INFINITY, untilSec: Number.POSITIVE_INFINITY };

/** Seconds in as few ranges as possible: sorted, and none touches another. */
export function mergedSeconds(ranges: readonly SecondRange[]): SecondRange[] {
  const merged: SecondRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.fromSec - b.fromSec)) {
    const last = merged.at(-1);
    if (last && range.fromSec <= last.untilSec) last.untilSec = Math.max(last.untilSec, range.untilSec);
    else merged.push({ ...range });
  }
  return merged;
}
