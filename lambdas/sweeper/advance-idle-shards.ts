import { compactInstant, minuteOf } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { atEmptyBuckets, moveToNextBucket } from '../core/shards/idle-buckets';
import { hasTime, type TimeBudget } from '../core/async/time-budget';
import type { Cursor } from '../core/store/schedule-store';
import { sweepUntilMs } from './sweep-shard';

/**
 * Passes over time in which nothing is to be looked at, of all shards at once that had nothing to look at
 * before: a getStatuses at each, and where a bucket is over, one move of their cursors together. What has
 * entries, or gets no answer, is left to a sweep of its own.
 *
 * A getStatuses within a bucket moves nothing, so it need not be consistent: what it misses is seen by the
 * next one, at the latest by the consistent one that ends the bucket.
 *
 * @param cursors by shard; they are kept up with where they stand. One that may have been moved by others is
 *   taken out
 * @returns the shards that are caught up
 */
export async function advanceIdleShards(
  cursors: Map<number, Cursor>,
  deps: StageDeps,
  limits: TimeBudget,
): Promise<Set<number>> {
  const untilMs = sweepUntilMs(deps);
  const isOver = ({ minute }: Cursor) => minute < minuteOf(untilMs);
  const done = new Set<number>();
  let quiet = [...cursors.values()].filter(({ entriesInLastBucket: busy }) => busy === 0);
  while (quiet.length > 0 && hasTime(limits)) {
    const range = { before: compactInstant(untilMs), isConsistent: isOver };
    const empty = await atEmptyBuckets(quiet, range, deps);
    for (const { shard } of empty.filter((cursor) => !isOver(cursor))) done.add(shard);
    const over = empty.filter(isOver);
    for (const { shard } of over) cursors.delete(shard);
    quiet = await moveToNextBucket(over, deps);
    for (const cursor of quiet) cursors.set(cursor.shard, cursor);
  }
  return done;
}
