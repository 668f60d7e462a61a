import { SECOND_MS } from '../clock/clock';

/** How long the calls of a project held executors, and how many calls these were. */
export interface CallLoad {
  calls: number;
  heldMs: number;
}

/** Loads are added up by windows of this length. */
export const LOAD_WINDOW_MS = 10 * SECOND_MS;

/** A load without news is over after this time. A call that is still open reports in each window. */
const LOAD_LASTS_MS = 60 * SECOND_MS;

/** Start of the window that an instant is in. */
export const loadWindowOf = (atMs: number): number => Math.floor(atMs / LOAD_WINDOW_MS) * LOAD_WINDOW_MS;

/** The load of the latest window of a project in a pool, and of the one before it. */
export interface RecentLoad {
  latest: CallLoad;
  before: CallLoad;
  /** Start of the latest window. */
  windowAtMs: number;
}

export const NO_LOAD: CallLoad = { calls: 0, heldMs: 0 };

/** The load of a project whose calls no executor has reported. */
export const NO_RECENT_LOAD: RecentLoad = { latest: NO_LOAD, before: NO_LOAD, windowAtMs: 0 };

/** How many executors the project held on average, in the busier of the two windows. 0 if that is over. */
export const executorsHeld = ({ latest, before, windowAtMs }: RecentLoad, nowMs: number): number =>
  nowMs - windowAtMs > LOAD_LASTS_MS ? 0 : Math.max(0, latest.heldMs, before.heldMs) / LOAD_WINDOW_MS;

/** How long one of its calls held an executor on average, in ms. */
export const meanHeldMs = ({ latest, before }: RecentLoad): number =>
  Math.max(0, latest.heldMs + before.heldMs) / Math.max(1, latest.calls + before.calls);
