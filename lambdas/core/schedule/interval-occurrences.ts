import { SECONDS_PER_DAY, civilDateOf, dayNumberOf, daysInMonth, remainder } from './civil';
import { DayTimes } from './day-times';
import { afterExcluded, ExclusionsOfDays, walkDays } from './day-walk';
import type { Exclusions } from './exclusions';
import { ANY_TIME, MAX_EXCLUDED_IN_A_ROW } from './exclusions';
import { type AddToMinute, addEachMinute, type Occurrences } from './occurrences';
import { SteadyDay } from './steady-day';
import type { MonthlyPlan } from './wall-plan';
import { LAST_WALL_SEC } from './wall-plan';
import type { Zone } from './zone';

/** Instants with one distance. */
interface SteadyOccurrences extends Occurrences {
  anchorMs: number;
  everyMs: number;
}

/** `anchorMs + k × everyMs` for k = `first`, `first` + 1, … `everyMs` is of whole seconds. */
export function fixedRate(anchorMs: number, everyMs: number, first: 0 | 1): SteadyOccurrences {
  const stepAt = (ms: number) => Math.floor((ms - anchorMs) / everyMs);
  const steady: Pick<Occurrences, 'next' | 'count'> = {
    next(afterMs, untilMs = Number.POSITIVE_INFINITY) {
      const atMs = anchorMs + Math.max(stepAt(afterMs) + 1, first) * everyMs;
      return atMs <= Math.min(untilMs, LAST_WALL_SEC * 1000) ? atMs : undefined;
    },
    count: (afterMs, throughMs) => Math.max(0, stepAt(throughMs) - Math.max(stepAt(afterMs), first - 1)),
  };
  return {
    ...steady,
    anchorMs,
    everyMs,
    addByMinute: (window, add) => addEachMinute(steady, window, add),
  };
}

/** Only those that are not excluded, by the local time of the zone. */
export function withoutExcluded(
  steady: SteadyOccurrences,
  zone: Zone,
  exclusions: Exclusions | undefined,
): Occurrences {
  if (!exclusions) return steady;
  const days = steadyDays(steady, exclusions);
  return {
    next(afterMs, untilMs) {
      let atMs = steady.next(afterMs, untilMs);
      for (let excluded = 0; atMs !== undefined && excluded < MAX_EXCLUDED_IN_A_ROW; excluded++) {
        const atSec = Math.floor(atMs / 1000);
        const { offsetSec, endSec } = zone.segmentAt(atSec);
        const wallSec = atSec + offsetSec;
        const freeSec = days.next(wallSec);
        if (freeSec === wallSec) return atMs;
        if (freeSec === Number.POSITIVE_INFINITY) return undefined;
        atMs = steady.next(Math.min(freeSec - offsetSec, endSec) * 1000 - 1, untilMs);
      }
      return undefined;
    },
    count(afterMs, throughMs) {
      let count = 0;
      eachPart(steady, zone, { afterMs, throughMs }, (part) => (count += days.count(part)));
      return count;
    },
    addByMinute({ afterMs, throughMs, laterMs }, add) {
      const laterSec = Math.floor((laterMs + remainder(steady.anchorMs, 1000)) / 1000);
      eachPart(steady, zone, { afterMs, throughMs }, (part) => days.addByMinute(part, laterSec, add));
    },
  };
}

/** Seconds `[fromSec, untilSec)` in which wall time is `offsetSec` ahead of UTC. */
interface Part {
  fromSec: number;
  untilSec: number;
  offsetSec: number;
}

/** Visits the parts of `(afterMs, throughMs]` that have one offset each. */
function eachPart(
  steady: SteadyOccurrences,
  zone: Zone,
  { afterMs, throughMs }: { afterMs: number; throughMs: number },
  visit: (part: Part) => void,
): void {
  const firstMs = steady.next(afterMs);
  if (firstMs === undefined) return;
  const lastSec = Math.floor((throughMs - (firstMs % 1000)) / 1000);
  const untilSec = Math.min(lastSec, LAST_WALL_SEC) + 1;
  for (let fromSec = Math.floor(firstMs / 1000); fromSec < untilSec;) {
    const { offsetSec, endSec } = zone.segmentAt(fromSec);
    const partEndSec = Math.min(endSec, untilSec);
    visit({ fromSec, untilSec: partEndSec, offsetSec });
    fromSec = partEndSec;
  }
}

interface SteadyDays {
  /**
   * `wallSec` itself if it is not excluded. If it is: a later wall time, before which its day has no more.
   * Infinity if nothing comes any more. `wallSec` is one of the times, in local time.
   */
  next(wallSec: number): number;
  /** How many of a part are not excluded. */
  count(part: Part): number;
  /** Adds up by minute those that are not excluded, each `laterSec` later. */
  addByMinute(part: Part, laterSec: number, add: AddToMinute): void;
}

function steadyDays({ anchorMs, everyMs }: SteadyOccurrences, exclusions: Exclusions): SteadyDays {
  const [anchorSec, everySec] = [Math.floor(anchorMs / 1000), everyMs / 1000];
  const days = {
    excludedDays: exclusions.days,
    exclusions: exclusions.times.map(({ calendar }) => calendar),
  };
  const times = new DayTimes(
    ANY_TIME,
    exclusions.times.map(({ timesOfDay }) => timesOfDay),
  );
  const ofDay = new SteadyDay(times, everySec);
  /** Visits the days of a part: the first time of each, excluded or not, and its seconds in the part. */
  const eachDay = (
    { fromSec, untilSec, offsetSec }: Part,
    visit: (
      by: number,
      phaseSec: number,
      part: { startSec: number; fromSec: number; untilSec: number },
    ) => void,
  ) => {
    const [fromWallSec, untilWallSec] = [fromSec + offsetSec, untilSec + offsetSec];
    const firstDay = Math.floor(fromWallSec / SECONDS_PER_DAY);
    const lastDay = Math.floor((untilWallSec - 1) / SECONDS_PER_DAY);
    walkDays(days, firstDay, lastDay, (day, by) => {
      const startSec = day * SECONDS_PER_DAY;
      visit(by, remainder(anchorSec + offsetSec - startSec, everySec), {
        startSec,
        fromSec: Math.max(fromWallSec - startSec, 0),
        untilSec: Math.min(untilWallSec - startSec, SECONDS_PER_DAY),
      });
    });
  };
  return {
    next: searchOf(exclusions, times, ofDay),
    count(part) {
      let count = 0;
      eachDay(part, (by, phaseSec, { fromSec, untilSec }) => {
        count += ofDay.countBefore(by, phaseSec, untilSec);
        if (fromSec > 0) count -= ofDay.countBefore(by, phaseSec, fromSec);
      });
      return count;
    },
    addByMinute(part, laterSec, add) {
      eachDay(part, (by, phaseSec, { startSec, fromSec, untilSec }) =>
        ofDay.addByMinute(
          by,
          phaseSec,
          { fromSec, untilSec, shiftSec: startSec - part.offsetSec + laterSec },
          add,
        ),
      );
    },
  };
}

function searchOf(exclusions: Exclusions, times: DayTimes, ofDay: SteadyDay): SteadyDays['next'] {
  const exclusionsOf = new ExclusionsOfDays(exclusions.times.map(({ calendar }) => calendar));
  let last = { day: Number.NaN, by: 0, isExcluded: false };
  return (wallSec) => {
    const day = Math.floor(wallSec / SECONDS_PER_DAY);
    if (day !== last.day) {
      const by = exclusionsOf.on(day);
      last = { day, by, isExcluded: afterExcluded(day, exclusions.days) !== day || times.count(by) === 0 };
    }
    const startSec = day * SECONDS_PER_DAY;
    if (!last.isExcluded) return startSec + ofDay.next(last.by, wallSec - startSec);
    // Exclusions may pass over many days at once, or for good, but also over a second alone.
    return Math.max(exclusions.past(wallSec), startSec + SECONDS_PER_DAY);
  };
}

/**
 * Every so many months from a wall time, each counted from the anchor itself. A month without that day uses
 * its last day, and the next month uses the anchor's day again.
 */
export function monthlyPlan(anchorWallSec: number, everyMonths: number, first: 0 | 1): MonthlyPlan {
  const anchorDay = Math.floor(anchorWallSec / SECONDS_PER_DAY);
  const timeOfDay = anchorWallSec - anchorDay * SECONDS_PER_DAY;
  const anchor = civilDateOf(anchorDay);
  const wallSecOf = (step: number): number => {
    const months = anchor.year * 12 + anchor.month - 1 + step * everyMonths;
    const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
    return (
      dayNumberOf(year, month, Math.min(anchor.day, daysInMonth(year, month))) * SECONDS_PER_DAY + timeOfDay
    );
  };
  return {
    next(fromSec) {
      const from = civilDateOf(Math.floor(fromSec / SECONDS_PER_DAY));
      const months = (from.year - anchor.year) * 12 + from.month - anchor.month;
      let step = Math.max(first, Math.floor(months / everyMonths));
      while (wallSecOf(step) < fromSec) step++;
      const wallSec = wallSecOf(step);
      return wallSec <= LAST_WALL_SEC ? wallSec : undefined;
    },
  };
}
