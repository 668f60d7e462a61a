import type { AddToMinute } from './occurrences';

/** The last wall second that anything is planned for: instants are written with four-digit years. */
export const LAST_WALL_SEC = Date.UTC(9999, 11, 30) / 1000;

/**
 * Planned wall times, without excluded ones: a rising sequence of seconds since 1970-01-01T00:00:00 in local
 * time. It knows no zone.
 */
export interface WallPlan {
  /**
   * The first planned wall time `>= fromSec`. Undefined if none is left, or if the search ends before it. The
   * search ends at `untilSec`, and when the budget is used up.
   */
  next(fromSec: number, search?: WallSearch): number | undefined;
  /** How many lie in `[fromSec, untilSec)`. Its cost does not grow with their number. */
  count(fromSec: number, untilSec: number): number;
  /**
   * Adds up those in `[fromSec, untilSec)` by minute: a wall time in the minute of the instant `shiftSec`
   * later.
   */
  addByMinute(fromSec: number, untilSec: number, shiftSec: number, add: AddToMinute): void;
}

/** A plan whose times are at least a month apart. */
export interface MonthlyPlan {
  next(fromSec: number): number | undefined;
}

/** A single wall time. */
export const singlePlan = (wallSec: number): WallPlan => ({
  next: (fromSec) => (fromSec <= wallSec ? wallSec : undefined),
  count: (fromSec, untilSec) => (fromSec <= wallSec && wallSec < untilSec ? 1 : 0),
  addByMinute(fromSec, untilSec, shiftSec, add) {
    if (fromSec <= wallSec && wallSec < untilSec) add(Math.floor((wallSec + shiftSec) / 60), 1);
  },
});

/** Where one search ends. */
export interface WallSearch {
  /** It looks for nothing later. Absent: no bound. */
  untilSec?: number;
  /** How many excluded times it may still skip, over all its calls of a plan, which reduce it. */
  excludedTimes: number;
}
