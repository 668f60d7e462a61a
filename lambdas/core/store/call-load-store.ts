import type { RecentLoad } from '../domain/call-load';

/** How long calls of each project held executors of a pool lately. An addition may be lost. */
export interface CallLoadStore {
  /**
   * Adds to the window that `nowMs` is in. An addition to a window that is no longer the latest is not
   * stored.
   */
  add(of: { userId: string; pool: string }, heldMs: number, nowMs: number): Promise<void>;
  /** Eventually consistent. `NO_RECENT_LOAD` of a project that has no row. */
  recent(of: { userId: string; pool: string }): Promise<RecentLoad>;
}
