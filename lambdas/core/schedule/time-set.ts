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
    return this.runAt(sec).isIn;
  }

  /** Which of some instants it has, as bits. @param secs ascending, within a day; at most 31 */
  bitsAt(secs: readonly number[]): number {
    const [firstSec, lastSec] = [secs[0]!, secs.at(-1)!];
    const { offsetSec, endSec } = this.zone.segmentAt(firstSec);
    if (lastSec >= endSec) return bitsOf(secs, (sec) => this.has(sec));
    const day = Math.floor((firstSec + offsetSec) / SECONDS_PER_DAY);
    const nextDaySec = (day + 1) * SECONDS_PER_DAY - offsetSec;
    let bits = this.days.has(day) ? bitsBetween(secs, firstSec, nextDaySec) : 0;
    if (lastSec >= nextDaySec && this.days.has(day + 1)) bits |= bitsBetween(secs, nextDaySec, lastSec + 1);
    for (let index = this.rangeIndexFrom(firstSec); index < this.ranges.length; index++) {
      const { fromSec, untilSec } = this.ranges[index]!;
      if (fromSec > lastSec) break;
      bits |= bitsBetween(secs, fromSec, untilSec);
    }
    return bits;
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
    const isIn = this.days.has(this.dayAt(sec)) || this.rangeFrom(sec).fromSec <= sec;
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

const bitsBetween = (secs: readonly number[], fromSec: number, untilSec: number): number =>
  bitsOf(secs, (sec) => sec >= fromSec && sec < untilSec);

/** As bits, like those of a month. */
const ALL_DAYS = -1;
const NO_RANGE: SecondRange = { fromSec: Number.POSITIVE_INFINITY, untilSec: Number.POSITIVE_INFINITY };

/** The same seconds as few ranges: sorted, and none touches another. */
export function mergedSeconds(ranges: readonly SecondRange[]): SecondRange[] {
  const merged: SecondRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.fromSec - b.fromSec)) {
    const last = merged.at(-1);
    if (last && range.fromSec <= last.untilSec) last.untilSec = Math.max(last.untilSec, range.untilSec);
    else merged.push({ ...range });
  }
  return merged;
}
