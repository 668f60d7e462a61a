import { SECONDS_PER_DAY } from './civil';
import { dateText, timeText } from './instant';
import {
  instantOfLocal,
  MAX_MOVED_DAYS,
  type MovePlan,
  OccurrenceMover,
  WINDOW_DAYS,
} from './occurrence-mover';
import type { AddToMinute, MinuteWindow, Occurrences } from './occurrences';

/**
 * Local times read, after which a schedule counts as exhausted. That is more than two years of days on which
 * calendars leave nothing, with 24 times each.
 */
const MAX_TIMES_IN_A_SEARCH = 20_000;

/** An occurrence that a change moved into the past. */
export interface MovedIntoPast {
  /** When it was to come before the change. */
  wasAtMs: number;
  /** When it would have come. */
  movedToMs: number;
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

  /** At most `MAX_MOVED_TIMES_A_DAY` times a day. */
  constructor(private readonly plan: MovePlan) {
    this.mover = new OccurrenceMover(plan);
  }

  next(afterMs: number, untilMs = Number.POSITIVE_INFINITY): number | undefined {
    const { zone } = this.plan;
    const [afterSec, untilSec] = [Math.floor(afterMs / 1000), Math.floor(untilMs / 1000)];
    const afterDay = Math.floor((afterSec + zone.segmentAt(afterSec).offsetSec) / SECONDS_PER_DAY);
    const lastDay = Math.min(
      Math.floor(this.mover.present.searchedUntil(afterSec) / SECONDS_PER_DAY),
      Math.floor(untilSec / SECONDS_PER_DAY) + WINDOW_DAYS,
    );
    let left = MAX_TIMES_IN_A_SEARCH;
    let firstSec = Number.POSITIVE_INFINITY;
    let stopDay = lastDay;
    let day = this.mover.plannedFrom(afterDay - WINDOW_DAYS);
    for (let lastRead = Number.NEGATIVE_INFINITY; day !== undefined && day <= stopDay;) {
      if (left <= 0 && firstSec === Number.POSITIVE_INFINITY) return undefined;
      left -= this.mover.timesOfDay.length * Math.min(day - lastRead, WINDOW_DAYS);
      lastRead = day;
      const placed = this.mover.placedOn(day);
      for (const { atSecs, targetWallSec } of placed) {
        for (const sec of atSecs) {
          if (sec <= afterSec || sec >= firstSec) continue;
          firstSec = sec;
          stopDay = Math.min(stopDay, Math.floor(targetWallSec / SECONDS_PER_DAY) + WINDOW_DAYS);
        }
      }
      const jump = placed.length > 0 || day <= afterDay ? day + 1 : this.mover.jumpFrom(day, lastDay);
      day = this.mover.plannedFrom(jump);
    }
    return firstSec <= untilSec && firstSec !== Number.POSITIVE_INFINITY ? firstSec * 1000 : undefined;
  }

  count(afterMs: number, throughMs: number): number {
    return this.instants(afterMs, throughMs).size;
  }

  addByMinute({ afterMs, throughMs, laterMs }: MinuteWindow, add: AddToMinute): void {
    for (const sec of this.instants(afterMs, throughMs)) add(Math.floor((sec + laterMs / 1000) / 60), 1);
  }

  /** What moved to the instant, and what was dropped since the one before; undefined: nothing. */
  note(lastMs: number, atMs: number): string | undefined {
    const [fromSec, atSec] = [Math.floor(lastMs / 1000), Math.floor(atMs / 1000)];
    const notes: string[] = [];
    for (
      let day = this.mover.plannedFrom(this.mover.dayOf(atSec) - WINDOW_DAYS);
      day !== undefined && day <= this.mover.dayOf(atSec) + WINDOW_DAYS;
    ) {
      for (const { atSecs, wallSec, targetWallSec } of this.mover.placedOn(day))
        if (wallSec !== targetWallSec && atSecs.includes(atSec))
          notes.push(`moved here from ${wallText(wallSec)}: ${this.mover.why(wallSec)}`);
      day = this.mover.plannedFrom(day + 1);
    }
    notes.push(...this.droppedBetween(fromSec, atSec));
    return notes.length === 0 ? undefined : notes.join('; ');
  }

  /** Those that the last change moved into its own past: they come no more. */
  movedIntoPast(): MovedIntoPast[] {
    const { periods } = this.plan;
    const before = periods.at(-2);
    if (!before) return [];
    const changeDay = this.mover.dayOf(Math.floor(before.untilMs / 1000));
    const moved: MovedIntoPast[] = [];
    for (
      let day = this.mover.plannedFrom(changeDay - 2 * WINDOW_DAYS);
      day !== undefined && day <= changeDay + 2 * WINDOW_DAYS;
    ) {
      for (const timeOfDay of this.mover.timesOfDay) {
        const wallSec = day * SECONDS_PER_DAY + timeOfDay;
        if (this.mover.settled(wallSec)) continue;
        const was = this.mover.settled(wallSec, [
          ...periods.slice(0, -2),
          { ...before, untilMs: Number.POSITIVE_INFINITY },
        ]);
        const now = this.mover.move(wallSec, this.mover.present);
        const wasAtSec = was?.atSecs[0];
        if (wasAtSec === undefined || now === undefined || wasAtSec * 1000 <= before.untilMs) continue;
        moved.push({ wasAtMs: wasAtSec * 1000, movedToMs: now.firstSec * 1000 });
      }
      day = this.mover.plannedFrom(day + 1);
    }
    return moved;
  }

  private instants(afterMs: number, throughMs: number): Set<number> {
    const [afterSec, throughSec] = [Math.floor(afterMs / 1000), Math.floor(throughMs / 1000)];
    const lastDay = Math.min(
      this.mover.dayOf(throughSec) + WINDOW_DAYS,
      Math.floor(this.mover.present.searchedUntil(throughSec) / SECONDS_PER_DAY),
    );
    const found = new Set<number>();
    for (
      let day = this.mover.plannedFrom(this.mover.dayOf(afterSec) - WINDOW_DAYS);
      day !== undefined && day <= lastDay;
    ) {
      for (const { atSecs } of this.mover.placedOn(day))
        for (const sec of atSecs) if (sec > afterSec && sec <= throughSec) found.add(sec);
      day = this.mover.plannedFrom(day + 1);
    }
    return found;
  }

  private droppedBetween(fromSec: number, atSec: number): string[] {
    const dropped: number[] = [];
    const [fromDay, toDay] = [this.mover.dayOf(fromSec), this.mover.dayOf(atSec)];
    for (
      let day = this.mover.plannedFrom(fromDay);
      day !== undefined && day <= toDay && dropped.length <= 3;
    ) {
      const kept = new Set(this.mover.placedOn(day).map(({ wallSec }) => wallSec));
      for (const timeOfDay of this.mover.timesOfDay) {
        const wallSec = day * SECONDS_PER_DAY + timeOfDay;
        const sec = instantOfLocal(this.plan.zone, wallSec);
        if (!kept.has(wallSec) && sec !== undefined && sec > fromSec && sec < atSec) dropped.push(wallSec);
      }
      day = this.mover.plannedFrom(day + 1);
    }
    return dropped
      .slice(0, 3)
      .map(
        (wallSec) =>
          `${wallText(wallSec)} is left out: no day within ${MAX_MOVED_DAYS} days is free, or it came before a change`,
      );
  }
}

const wallText = (wallSec: number): string => `${dateText(wallSec)} ${timeText(wallSec)}`;
