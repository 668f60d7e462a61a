import type { ScheduleStore } from '../schedule-store';
import { createCursors, moveCursor, moveCursors, readCursors } from './cursors';
import { type EntryAccess, putEntries, readBucket, removeEntry } from './entries';
import { findEntryIn } from './find-entry';
import {
  listStops,
  putStop,
  raiseShardCount,
  readBookmark,
  readMaintenance,
  readShards,
  recordSweepRequests,
  writeBookmark,
  writeMaintenance,
} from './deployment';

/** The Schedule table but for ordering queues: entries, cursors and rows of the deployment. */
export const dynamoScheduleStore = (access: EntryAccess): ScheduleStore => ({
  putEntries: (entries, withinMs) => putEntries(access, entries, withinMs),
  removeEntry: (entry) => removeEntry(access, entry),
  readBucket: (query) => readBucket(access, query),
  ...findEntryIn(access),
  readCursors: (kind, shards, options) => readCursors(access, kind, shards, options),
  createCursors: (cursors) => createCursors(access, cursors),
  moveCursor: (seen, to) => moveCursor(access, seen, to),
  moveCursors: (moves) => moveCursors(access, moves),
  readBookmark: (name) => readBookmark(access, name),
  writeBookmark: (name, position) => writeBookmark(access, name, position),
  readMaintenance: () => readMaintenance(access),
  writeMaintenance: (stop) => writeMaintenance(access, stop),
  putStop: (stop) => putStop(access, stop),
  listStops: (limit) => listStops(access, limit),
  readShards: () => readShards(access),
  raiseShards: (count) => raiseShardCount(access, count),
  recordSweepRequests: (count, throughMs) => recordSweepRequests(access, count, throughMs),
});
