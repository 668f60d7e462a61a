/** The last wall second that anything is planned for: instants are spelled with four-digit years. */
export const LAST_WALL_SEC = Date.UTC(9999, 11, 30) / 1000;

/**
 * Planned wall times, exclusions already taken out: a rising sequence of seconds since 1970-01-01T00:00:00 as a
 * clock on the wall shows them. It knows no zone.
 */
export interface WallPlan {
  /** The first planned wall time `>= fromSec`; undefined where none is left, or the search has no patience left. */
  next(fromSec: number, patience?: Patience): number | undefined;
}

/** What one search may still cost, over all that it asks of a plan. */
export interface Patience {
  /** Excluded times yet to be passed. */
  excluded: number;
}
