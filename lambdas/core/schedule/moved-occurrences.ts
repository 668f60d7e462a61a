import type { AllowedTimes } from './allowed-times';
import { countBits, lowestBit } from './bits';
import { SECONDS_PER_DAY } from './civil';
import { firstIndex } from './first-index';
import { steadyOffset } from './local-instants';
import { type MovedIntoPast, movedIntoPastBy, noteOnMoves } from './moved-notes';
import { type MovePlan, OccurrenceMover, WINDOW_DAYS } from './occurrence-mover';
import type { AddToMinute, MinuteWindow, Occurrences } from './occurrences';

/** Days around an instant that may have it, by any zone and change of clocks. */
const NEAR_DAYS = 3;
/** A search reads so far at once: the next ones will ask for the rest. Each part is twice the one before. */
const READ_AHEAD_SEC = { first: 35 * SECONDS_PER_DAY, most: 280 * SECONDS_PER_DAY };
/** Several contents of calendars may decide what comes so near to their changes. */
const AROUND_CHANGES_SEC = 2 * WINDOW_DAYS * SECONDS_PER_DAY;

/** Seconds in `(afterSec, throughSec]`. */
interface Seconds {
  afterSec: number;
  throughSec: number;
}

/**
 * The times of a cron expression, of which each excluded one moves to the same local time of the nearest day
 * that is not excluded. Two at one instant are one.
 *
 * An occurrence is named by its local time before the move. It comes at most once: the first period in which
 * it comes decides. So what a calendar has let run on one day does not run again on another.
 */
export class MovedOccurrences implements Occurrences {
  private readonly mover: OccurrenceMover;
  /** What the last search read, ascending. */
  private read: Seconds & { secs: readonly number[] } = { afterSec: 0, throughSec: 0, secs: [] };
  private aheadSec = READ_AHEAD_SEC.first;

  /** At most `MAX_MOVED_TIMES_A_DAY` times a day. */
  constructor(private readonly plan: MovePlan) {
    this.mover = new OccurrenceMover(plan);
  }

  next(afterMs: number, untilMs = Number.POSITIVE_INFINITY): number | undefined {
    const [afterSec, untilSec] = [Math.floor(afterMs / 1000), Math.floor(untilMs / 1000)];
    const isRead = afterSec >= this.read.afterSec && afterSec < this.read.throughSec;
    if (!isRead) {
      this.read = { afterSec, throughSec: afterSec, secs: [] };
      this.aheadSec = READ_AHEAD_SEC.first;
    }
    const { secs } = this.read;
    const nextSec = secs[firstIndex(secs, (sec) => sec <= afterSec)] ?? this.readOn(afterSec, untilSec);
    return nextSec !== undefined && nextSec <= untilSec ? nextSec * 1000 : undefined;
  }

  /** Reads on until something comes, and returns that. What was read has nothing after `afterSec`. */
  private readOn(afterSec: number, untilSec: number): number | undefined {
    const lastSec = Math.min(untilSec, this.mover.present.searchedUntil(afterSec));
    while (this.read.throughSec < lastSec) {
      const fromSec = this.passed(this.read.throughSec, lastSec);
      const part = { afterSec: fromSec, throughSec: Math.min(fromSec + this.aheadSec, lastSec) };
      this.aheadSec = Math.min(2 * this.aheadSec, READ_AHEAD_SEC.most);
      const secs = [...this.instants(part)].sort((a, b) => a - b);
      this.read = { afterSec, throughSec: part.throughSec, secs };
      if (secs.length > 0) return secs[0];
    }
    return undefined;
  }

  /** Where a search that begins at `sec` may begin instead, because nothing comes before. */
  private passed(sec: number, lastSec: number): number {
    if (sec < this.changesEndSec()) return sec;
    const [fromDay, lastDay] = [this.mover.dayOf(sec) - NEAR_DAYS, this.mover.dayOf(lastSec) + NEAR_DAYS];
    const day = this.mover.arrivalFrom(fromDay, lastDay);
    return day === undefined ? lastSec : Math.max(sec, (day - NEAR_DAYS) * SECONDS_PER_DAY);
  }

  /** From then on, the present content of calendars decides alone. */
  private changesEndSec(): number {
    const before = this.plan.periods.at(-2);
    return before ? Math.floor(before.untilMs / 1000) + AROUND_CHANGES_SEC : Number.NEGATIVE_INFINITY;
  }

  count(afterMs: number, throughMs: number): number {
    let count = 0;
    const near = this.instants(secondsOf(afterMs, throughMs), (times) => (count += countBits(times)));
    return count + near.size;
  }

  addByMinute({ afterMs, throughMs, laterMs }: MinuteWindow, add: AddToMinute): void {
    for (const sec of this.instants(secondsOf(afterMs, throughMs)))
      add(Math.floor((sec + laterMs / 1000) / 60), 1);
  }

  /** What moved to the instant, and what was dropped since the one before; undefined: nothing. */
  note = (lastMs: number, atMs: number): string | undefined => noteOnMoves(this.mover, lastMs, atMs);

  /** Those that the last change moved into its own past: they come no more. */
  movedIntoPast = (): MovedIntoPast[] => movedIntoPastBy(this.mover);

  /**
   * The instants of a range. With `countDay`, those of most days are only counted: of days that are far from
   * the ends of the range, and from changes of clocks. There, two are never one.
   */
  private instants({ afterSec, throughSec }: Seconds, countDay?: (times: number) => void): Set<number> {
    const found = new Set<number>();
    const lastSec = Math.min(throughSec, this.mover.present.searchedUntil(throughSec));
    for (const part of this.partsOf({ afterSec, throughSec: lastSec })) {
      if (part.allowed) this.addArrivals(part, part.allowed, found, countDay);
      else this.addSettled(part, found);
    }
    return found;
  }

  /** Parts that one content of calendars decides, and between them one that several do. */
  private partsOf({ afterSec, throughSec }: Seconds): (Seconds & { allowed?: AllowedTimes })[] {
    const { periods } = this.plan;
    if (periods.length === 1) return [{ afterSec, throughSec, allowed: this.mover.present }];
    const fromSec = Math.floor(periods[0]!.untilMs / 1000) - AROUND_CHANGES_SEC;
    const toSec = this.changesEndSec();
    return [
      { afterSec, throughSec: Math.min(throughSec, fromSec), allowed: periods[0]!.allowed },
      { afterSec: Math.max(afterSec, fromSec), throughSec: Math.min(throughSec, toSec) },
      { afterSec: Math.max(afterSec, toSec), throughSec, allowed: this.mover.present },
    ].filter((part) => part.afterSec < part.throughSec);
  }

  private addArrivals(
    { afterSec, throughSec }: Seconds,
    allowed: AllowedTimes,
    found: Set<number>,
    countDay?: (times: number) => void,
  ): void {
    const { timesOfDay } = this.mover;
    const [firstDay, lastDay] = [this.mover.dayOf(afterSec), this.mover.dayOf(throughSec)];
    const isPlain = (day: number) =>
      day > firstDay + NEAR_DAYS &&
      day < lastDay - NEAR_DAYS &&
      steadyOffset(this.plan.zone, (day - 1) * SECONDS_PER_DAY, (day + 2) * SECONDS_PER_DAY) !== undefined;
    this.mover.eachArrival(firstDay - NEAR_DAYS, lastDay + NEAR_DAYS, allowed, (day, times) => {
      if (countDay && isPlain(day)) return countDay(times);
      for (let rest = times; rest !== 0; rest &= rest - 1) {
        const wallSec = day * SECONDS_PER_DAY + timesOfDay[lowestBit(rest)]!;
        for (const sec of this.mover.instantsOf(wallSec))
          if (sec > afterSec && sec <= throughSec) found.add(sec);
      }
    });
  }

  private addSettled({ afterSec, throughSec }: Seconds, found: Set<number>): void {
    const lastDay = this.mover.dayOf(throughSec) + WINDOW_DAYS;
    for (
      let day = this.mover.plannedFrom(this.mover.dayOf(afterSec) - WINDOW_DAYS);
      day !== undefined && day <= lastDay;
    ) {
      for (const { atSecs } of this.mover.placedOn(day))
        for (const sec of atSecs) if (sec > afterSec && sec <= throughSec) found.add(sec);
      day = this.mover.plannedFrom(day + 1);
    }
  }
}

const secondsOf = (afterMs: number, throughMs: number): Seconds => ({
  afterSec: Math.floor(afterMs / 1000),
  throughSec: Math.floor(throughMs / 1000),
});
