import { SECONDS_PER_DAY, civilDateOf, dayNumberOf, daysInMonth } from './civil';
import type { Exclusions } from './exclusions';
import { MAX_EXCLUDED_IN_A_ROW } from './exclusions';
import type { Occurrences } from './occurrences';
import type { WallPlan } from './wall-plan';
import { LAST_WALL_SEC } from './wall-plan';
import type { Zone } from './zone';

/** `anchorMs + k × everyMs` for k = `first`, `first` + 1, … */
export function fixedRate(anchorMs: number, everyMs: number, first: 0 | 1): Occurrences {
  const stepAt = (ms: number) => Math.floor((ms - anchorMs) / everyMs);
  return {
    next(afterMs) {
      const atMs = anchorMs + Math.max(stepAt(afterMs) + 1, first) * everyMs;
      return atMs <= LAST_WALL_SEC * 1000 ? atMs : undefined;
    },
    count: (afterMs, throughMs) => Math.max(0, stepAt(throughMs) - Math.max(stepAt(afterMs), first - 1)),
  };
}

/** Only those that are not excluded, by the local time of the zone. */
export function withoutExcluded(
  inner: Occurrences,
  zone: Zone,
  exclusions: Exclusions | undefined,
): Occurrences {
  if (!exclusions) return inner;
  return {
    next(afterMs) {
      let atMs = inner.next(afterMs);
      for (let excluded = 0; atMs !== undefined && excluded < MAX_EXCLUDED_IN_A_ROW; excluded++) {
        const atSec = Math.floor(atMs / 1000);
        const { offsetSec, endSec } = zone.segmentAt(atSec);
        const pastSec = exclusions.past(atSec + offsetSec) - offsetSec;
        if (pastSec === atSec) return atMs;
        if (pastSec === Number.POSITIVE_INFINITY) return undefined;
        atMs = inner.next(Math.min(pastSec, endSec) * 1000 - 1);
      }
      return undefined;
    },
  };
}

/**
 * Every so many months from a wall time, each counted from the anchor itself. A month without that day uses
 * its last day, and the next month uses the anchor's day again.
 */
export function monthlyPlan(anchorWallSec: number, everyMonths: number, first: 0 | 1): WallPlan {
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
