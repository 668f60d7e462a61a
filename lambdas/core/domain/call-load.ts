import { SECOND_MS } from '../clock/clock';

/** Loads are added up by windows of this length. */
export const LOAD_WINDOW_MS = 10 * SECOND_MS;

/** A load without news is over after this time. A call that is still open reports in each window. */
const LOAD_LASTS_MS = 60 * SECOND_MS;

/** Start of the window that an instant is in. */
export const loadWindowOf = (atMs: number): number => Math.floor(atMs / LOAD_WINDOW_MS) * LOAD_WINDOW_MS;

/** How long calls of a project held executors of a pool, in the latest window and in the one before it. */
export interface RecentLoad {
  heldMs: number;
  heldBeforeMs: number;
  /** Start of the latest window. */
  windowAtMs: number;
}

/** The load of a project whose calls no executor has reported. */
export const NO_RECENT_LOAD: RecentLoad = { heldMs: 0, heldBeforeMs: 0, windowAtMs: 0 };

/** How many executors the project held on average, in the busier of the two windows. 0 if that is over. */
export const executorsHeld = ({ heldMs, heldBeforeMs, windowAtMs }: RecentLoad, nowMs: number): number =>
  nowMs - windowAtMs > LOAD_LASTS_MS ? 0 : Math.max(0, heldMs, heldBeforeMs) / LOAD_WINDOW_MS;
