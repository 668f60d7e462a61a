import type { CursorKind } from '../contracts/tables';
import type { Entry, OccurrenceEntry } from '../domain/entry';

/** How far a stage has come in one shard: everything before this position is done. */
export interface Cursor {
  kind: CursorKind;
  shard: number;
  /** The present bucket, in minutes since the epoch. */
  minute: number;
  /** Within the bucket: every entry up to this sort key is done; `''` at its start. */
  after: string;
  /** Clock reading of the last move, for the lag. */
  movedAtMs: number;
  /** Their number decides how requests are packed. */
  entriesInLastBucket: number;
}

/** From where a cursor was seen to its new position. */
export interface CursorMove {
  seen: Cursor;
  to: Pick<Cursor, 'minute' | 'after' | 'movedAtMs' | 'entriesInLastBucket'>;
}

export interface MovedCursors {
  /** Shards. */
  moved: Set<number>;
  /** One per row without an answer: its cursors may have moved or not. */
  errors: unknown[];
}

export interface ShardCounts {
  /** The active count, which writers use; never lowered. 0: not yet set. */
  count: number;
  /** Every count that was ever active, the present one included. */
  history: number[];
  /** The time of the last sweep that a tick has requested for all of them. Absent if that is unknown. */
  sweepsRequestedThroughMs?: number;
}

/** Maintenance mode, as an operator enabled it. */
export interface MaintenanceStop {
  sinceMs: number;
  /** The user who asked for it. */
  by: string;
  /** In the operator's words. */
  reason?: string;
}

/** A stop on record. Without `startedAtMs`, it has not ended. */
export interface PastStop extends MaintenanceStop {
  startedAtMs?: number;
  startedBy?: string;
}

/** Part of a bucket: at most one page. */
export interface BucketQuery {
  minute: number;
  shard: number;
  /** Sort keys, both exclusive. */
  after?: string;
  before?: string;
  limit: number;
  /** @default true */
  consistent?: boolean;
}

export interface EntryPage {
  entries: Entry[];
  /** The sort key of the row of each entry, in their order. Entries of a pack share their row. */
  rowKeys: string[];
  /** Sort keys of rows that are no entry. The caller reports them, and goes on. */
  unreadable: string[];
  /** Sort key to continue after; undefined at the end of the range. */
  nextAfter?: string;
}

/**
 * The Schedule table but for ordering queues: entries, cursors, bookmarks, maintenance mode and the shard
 * count.
 */
export interface ScheduleStore {
  /**
   * Writes entries. The same entry again is the same row. Resolves once all are acknowledged. Throws
   * `WriteTimeoutError` if that takes longer than `withinMs` (default `WRITE_DEADLINE_MS`): no entry may be
   * written behind the sweep.
   */
  putEntries(entries: readonly Entry[], withinMs?: number): Promise<void>;
  /**
   * Entries of one bucket in order of the sort keys of their rows, at most one page. That is `limit` rows, or
   * fewer if rows may be packs. An entry may come twice, in two packs. Consistent by default; otherwise
   * entries written a moment ago may be missing.
   */
  readBucket(query: BucketQuery): Promise<EntryPage>;
  /**
   * Deletes this very entry; no effect if it is gone, or in a pack. No stage may have sent a message of it.
   */
  removeEntry(entry: Entry): Promise<void>;
  /** Whether this very entry (bucket and sort key) is written. Consistent. */
  hasEntry(entry: Entry): Promise<boolean>;
  /**
   * Whether an entry of the same bucket, job, revision and time is written, whatever its first occurrence.
   * Consistent.
   */
  hasEntryOfSeries(entry: OccurrenceEntry): Promise<boolean>;
  /**
   * Cursors by shard; missing ones are absent. Consistent by default; otherwise a cursor may stand where it
   * stood a moment ago.
   */
  readCursors(
    kind: CursorKind,
    shards: readonly number[],
    options?: { consistent: boolean },
  ): Promise<Map<number, Cursor>>;
  /** Creates the cursors that do not exist. */
  createCursors(cursors: readonly Cursor[]): Promise<void>;
  /**
   * Moves a cursor from the position seen (`minute` and `after`) to `to`. `lost`: another process moved it
   * first.
   */
  moveCursor(seen: Cursor, to: CursorMove['to']): Promise<'moved' | 'lost'>;
  /**
   * Moves cursors of one kind. The cursors of a row (`SHARDS_A_CURSOR_ROW`) move together for the price of
   * one, or none of them moves. A row without an answer does not stop the others.
   */
  moveCursors(moves: readonly CursorMove[]): Promise<MovedCursors>;
  /** Where a slow pass over a whole table continues: opaque text under a name; undefined at the start. */
  readBookmark(name: string): Promise<string | undefined>;
  writeBookmark(name: string, position: string | undefined): Promise<void>;
  /** Undefined while the deployment is not in maintenance mode. Consistent. */
  readMaintenance(): Promise<MaintenanceStop | undefined>;
  /** Enables maintenance mode, or (`undefined`) ends it. */
  writeMaintenance(stop: MaintenanceStop | undefined): Promise<void>;
  /** Records a stop. The same stop again, by its `sinceMs`, replaces the record. */
  putStop(stop: PastStop): Promise<void>;
  /** At most `limit` stops, the newest first. Consistent. */
  listStops(limit: number): Promise<PastStop[]>;
  /** Consistent. */
  readShards(): Promise<ShardCounts>;
  /** Raises the active count to `count`; changes nothing if it is that high already. */
  raiseShards(count: number): Promise<void>;
  /** Records the last requested sweep of `count` shards. No effect if the count has been raised meanwhile. */
  recordSweepRequests(count: number, throughMs: number): Promise<void>;
}
