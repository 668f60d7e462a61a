import type { AllowedTimes } from './allowed-times';
import { bitsOf, lowestBit } from './bits';
import { SECONDS_PER_DAY } from './civil';
import { CronCalendar } from './cron-calendar';
import type { CronExpression } from './cron-expression';
import type { Exclusions } from './exclusions';
import { NearestFreeDay } from './free-days';
import { FreeTimes } from './free-times';
import { certainInstant, instantOfLocal } from './local-instants';
import { DaysByMonth } from './month-days';
import { ValueSet } from './value-set';
import { type ClockChangePolicy, wallOccurrences } from './wall-occurrences';
import { singlePlan } from './wall-plan';
import { MAX_OFFSET_DIFFERENCE_SEC, type Zone } from './zone';

/** An occurrence moves by at most this many days. */
export const MAX_MOVED_DAYS = 31;
export const MAX_MOVED_TIMES_A_DAY = 24;
/**
 * Days around an instant within which the days lie that may have moved to it. Two for zones and clock
 * changes.
 */
export const WINDOW_DAYS = MAX_MOVED_DAYS + 2;
const MAX_CACHED_DAYS = 5_000;

/** What calendars allowed for occurrences that came through an instant. */
export interface MovePeriod {
  /** The last such instant; Infinity for the present content. */
  untilMs: number;
  allowed: AllowedTimes;
}

export interface MovePlan {
  cron: CronExpression;
  exclusions: Exclusions | undefined;
  zone: Zone;
  policy: ClockChangePolicy;
  /** In order of time; the last one is the present. */
  periods: readonly MovePeriod[];
  onExcluded: 'next-day' | 'previous-day';
}

/** Where an occurrence went that is named by its local time before any move. */
export interface Placed {
  wallSec: number;
  targetWallSec: number;
  /** Its instants, in seconds: none if the clocks skip them, two if both passes count. */
  atSecs: readonly number[];
}

/** Moves single occurrences: from their local time to that of the nearest day that is not excluded. */
export class OccurrenceMover {
  readonly timesOfDay: readonly number[];
  private readonly days: CronCalendar;
  private readonly planned: DaysByMonth;
  private readonly placed = new Map<number, readonly Placed[]>();
  private readonly nearest = new Map<AllowedTimes, ReadonlyMap<number, NearestFreeDay>>();
  private readonly free = new Map<AllowedTimes, FreeTimes>();

  constructor(readonly plan: MovePlan) {
    this.days = new CronCalendar(plan.cron);
    this.planned = new DaysByMonth((year, month) => this.days.daysOf(year, month));
    this.timesOfDay = timesOf(plan.cron);
  }

  get present(): AllowedTimes {
    return this.plan.periods.at(-1)!.allowed;
  }

  /** The first planned day, before any move, that is not before `day`. */
  plannedFrom(day: number): number | undefined {
    const wallSec = this.days.next(day * SECONDS_PER_DAY);
    return wallSec === undefined ? undefined : Math.floor(wallSec / SECONDS_PER_DAY);
  }

  dayOf = (sec: number): number =>
    Math.floor((sec + this.plan.zone.segmentAt(sec).offsetSec) / SECONDS_PER_DAY);

  placedOn(day: number): readonly Placed[] {
    let placed = this.placed.get(day);
    if (!placed) {
      placed = this.timesOfDay.flatMap((timeOfDay) => this.settled(day * SECONDS_PER_DAY + timeOfDay) ?? []);
      if (this.placed.size >= MAX_CACHED_DAYS) this.placed.clear();
      this.placed.set(day, placed);
    }
    return placed;
  }

  /** By the first period in which it comes; undefined: in none. */
  settled(wallSec: number, periods: readonly MovePeriod[] = this.plan.periods): Placed | undefined {
    let fromMs = Number.NEGATIVE_INFINITY;
    for (const { untilMs, allowed } of periods) {
      const to = this.move(wallSec, allowed);
      if (to && to.firstSec * 1000 > fromMs && to.firstSec * 1000 <= untilMs)
        return { wallSec, targetWallSec: to.wallSec, atSecs: this.instantsOf(to.wallSec) };
      fromMs = untilMs;
    }
    return undefined;
  }

  /** The nearest local time of the same time of day that is not excluded; undefined: none within 31 days. */
  move(wallSec: number, allowed: AllowedTimes): { wallSec: number; firstSec: number } | undefined {
    const day = Math.floor(wallSec / SECONDS_PER_DAY);
    const toDay = this.nearestOf(wallSec - day * SECONDS_PER_DAY, allowed).find(day);
    if (toDay === undefined) return undefined;
    const toWallSec = wallSec + (toDay - day) * SECONDS_PER_DAY;
    return { wallSec: toWallSec, firstSec: instantOfLocal(this.plan.zone, toWallSec)! };
  }

  private nearestOf(timeOfDay: number, allowed: AllowedTimes): NearestFreeDay {
    let ofAllowed = this.nearest.get(allowed);
    if (!ofAllowed) {
      const free = this.freeBy(allowed);
      const ofTime = (index: number) =>
        new NearestFreeDay(
          (day) => (free.on(day) & (1 << index)) !== 0,
          this.plan.onExcluded,
          MAX_MOVED_DAYS,
        );
      ofAllowed = new Map(this.timesOfDay.map((time, index) => [time, ofTime(index)]));
      this.nearest.set(allowed, ofAllowed);
    }
    return ofAllowed.get(timeOfDay)!;
  }

  private freeBy(allowed: AllowedTimes): FreeTimes {
    let free = this.free.get(allowed);
    if (!free) {
      free = new FreeTimes(this.timesOfDay, allowed, this.plan.exclusions, this.plan.zone);
      this.free.set(allowed, free);
    }
    return free;
  }

  /**
   * Visits the days from `firstDay` through `lastDay` to which something comes, moved or not, if nothing but
   * `allowed` decides. In no given order.
   *
   * @param visit `times`: the times of day at which it comes, as bits
   */
  eachArrival(
    firstDay: number,
    lastDay: number,
    allowed: AllowedTimes,
    visit: (day: number, times: number) => void,
  ): void {
    const free = this.freeBy(allowed);
    const all = (1 << this.timesOfDay.length) - 1;
    const sign = this.plan.onExcluded === 'next-day' ? 1 : -1;
    const [from, to] = sign === 1 ? [firstDay, lastDay] : [lastDay, firstDay];
    // Times of day that wait for a free day, and the last planned day of each.
    let waiting = 0;
    const lastPlanned = this.timesOfDay.map(() => 0);
    for (let day = from - sign * MAX_MOVED_DAYS; (to - day) * sign >= 0; day += sign) {
      const freeTimes = free.on(day);
      const isPlanned = this.planned.has(day);
      let times = isPlanned ? freeTimes : waiting & freeTimes;
      if (!isPlanned && times !== 0)
        times &= bitsOf(lastPlanned, (planned) => (day - planned) * sign <= MAX_MOVED_DAYS);
      waiting &= ~freeTimes;
      if (isPlanned) {
        const excluded = all & ~freeTimes;
        waiting |= excluded;
        for (let rest = excluded; rest !== 0; rest &= rest - 1) lastPlanned[lowestBit(rest)] = day;
      }
      if (times !== 0 && day >= firstDay && day <= lastDay) visit(day, times);
    }
  }

  instantsOf(wallSec: number): readonly number[] {
    const { zone, policy } = this.plan;
    const certainSec = certainInstant(zone, wallSec);
    if (certainSec !== undefined) return [certainSec];
    const occurrences = wallOccurrences(singlePlan(wallSec), zone, policy);
    const secs: number[] = [];
    let atMs = occurrences.next((wallSec - MAX_OFFSET_DIFFERENCE_SEC) * 1000);
    for (; atMs !== undefined; atMs = occurrences.next(atMs)) secs.push(atMs / 1000);
    return secs;
  }

  /**
   * A day from `fromDay` through `lastDay`, before which nothing comes by the present content, moved or not.
   * Undefined: nothing comes on any of them.
   */
  arrivalFrom(fromDay: number, lastDay: number): number | undefined {
    const [mostAfter, mostBefore] =
      this.plan.onExcluded === 'next-day' ? [MAX_MOVED_DAYS, 0] : [0, MAX_MOVED_DAYS];
    const free = this.freeBy(this.present);
    for (let day = fromDay; ;) {
      const planned = this.plannedFrom(day - mostAfter);
      if (planned === undefined) return undefined;
      const freeDay = free.from(Math.max(day, planned - mostBefore), lastDay);
      if (freeDay === undefined || freeDay === day) return freeDay;
      day = freeDay;
    }
  }
}

/** The times of day of an expression, in seconds since midnight, ascending. */
export function timesOf({ hours, minutes, seconds }: CronExpression): number[] {
  const valuesOf = (set: ValueSet): number[] => {
    const values: number[] = [];
    for (let value = set.first; value !== ValueSet.NONE; value = set.atOrAfter(value + 1)) values.push(value);
    return values;
  };
  return valuesOf(hours).flatMap((hour) =>
    valuesOf(minutes).flatMap((minute) =>
      valuesOf(seconds).map((second) => hour * 3600 + minute * 60 + second),
    ),
  );
}
