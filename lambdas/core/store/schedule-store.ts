import type { CursorKind } from '../contracts/tables';
import type { Entry } from '../domain/entry';

/** Where a stage stands in one shard's time: everything before it is done. */
export interface Cursor {
  kind: CursorKind;
  shard: number;
  /** The bucket being worked on (minutes since the epoch). */
  minute: number;
  /** Within the bucket: all that sorts up to this is done; `''` at its start. */
  after: string;
  /** Clock reading of the last move, and entries seen in the bucket before: for lag and for packing requests. */
  movedAtMs: number;
  entriesInLastBucket: number;
}

/** Where a cursor was seen, and where it is to stand. */
export interface CursorMove {
  seen: Cursor;
  to: Pick<Cursor, 'minute' | 'after' | 'movedAtMs' | 'entriesInLastBucket'>;
}

export interface MovedCursors {
  /** Shards. */
  moved: Set<number>;
  /** Of rows that got no answer: their cursors may have moved or not. */
  errors: unknown[];
}

export interface ShardCounts {
  /** The number that writers use; never lowered. 0: not yet set. */
  count: number;
  /** Every number that was ever in force, the present one included. */
  history: number[];
}

/** An operator's stop of the deployment. */
export interface MaintenanceStop {
  sinceMs: number;
  /** The user who asked for it. */
  by: string;
}

/** Part of a bucket, at most one page of it. */
export interface BucketQuery {
  minute: number;
  shard: number;
  /** Sort keys, both excluded. */
  after?: string;
  before?: string;
  limit: number;
  /** @default true */
  consistent?: boolean;
}

export interface EntryPage {
  entries: Entry[];
  /** Rows that are no entry (their sort keys): never to be lost from sight, never to stop the page. */
  unreadable: string[];
  /** Sort key to go on after; undefined where the range is exhausted. */
  nextAfter?: string;
}

/** The Schedule table: entries, cursors, shards in force. */
export interface ScheduleStore {
  /**
   * Writes entries; the same entry again is the same row. Resolves once all are acknowledged, throws
   * `WriteTimeoutError` where that takes longer than `withinMs` (default 10 s, the bound of design: an entry is
   * never written behind the sweep).
   */
  putEntries(entries: readonly Entry[], withinMs?: number): Promise<void>;
  /**
   * Entries of one bucket in order of their sort key, strictly after `after`, and strictly before `before` where given.
   * At most one page (`limit` rows). Consistent unless asked otherwise: what was written a moment ago may be missing then.
   */
  readBucket(query: BucketQuery): Promise<EntryPage>;
  /** Whether this very entry (bucket and sort key) is written. Consistent. */
  hasEntry(entry: Entry): Promise<boolean>;
  /**
   * Cursors of the given shards; missing ones are absent. Consistent unless asked otherwise: one read so may lie where
   * the cursor stood a moment ago.
   */
  readCursors(
    kind: CursorKind,
    shards: readonly number[],
    options?: { consistent: boolean },
  ): Promise<Map<number, Cursor>>;
  /** Creates those that do not exist. */
  createCursors(cursors: readonly Cursor[]): Promise<void>;
  /** Moves a cursor from what was seen (`minute` and `after`) to `to`; `lost` where another moved it first. */
  moveCursor(seen: Cursor, to: CursorMove['to']): Promise<'moved' | 'lost'>;
  /**
   * Moves cursors of one kind. Those that share a row (`SHARDS_A_CURSOR_ROW`) move together, at the price of one, or none
   * of them does. A row without an answer stops no other.
   */
  moveCursors(moves: readonly CursorMove[]): Promise<MovedCursors>;
  /** Where a slow pass over a whole table left off: opaque text under a name; undefined at the start. */
  readBookmark(name: string): Promise<string | undefined>;
  writeBookmark(name: string, position: string | undefined): Promise<void>;
  /** The stop in force; undefined while the deployment runs. Consistent. */
  readMaintenance(): Promise<MaintenanceStop | undefined>;
  /** Puts a stop in force, or (`undefined`) takes it away. */
  writeMaintenance(stop: MaintenanceStop | undefined): Promise<void>;
  readShards(): Promise<ShardCounts>;
  /** Raises the number in force to `count`; changes nothing where it is that or more already. */
  raiseShards(count: number): Promise<void>;
}
