import { compactInstant, minuteOf } from '../core/contracts/tables';
import type { DispatchDeps } from '../core/dispatch/deps';
import { atEmptyBuckets, moveToNextBucket } from '../core/dispatch/quiet-buckets';
import type { Cursor } from '../core/store/schedule-store';
import { hasTime, sweepUntilMs, type SweepLimits, wasJustSwept } from './sweep-shard';

/**
 * Passes over time in which nothing is to be looked at, of all shards at once that had nothing to look at before: a
 * glance at each, and where a bucket is over, one move of their cursors together. What has entries, or gets no answer, is
 * left to a sweep of its own.
 *
 * A glance within a bucket moves nothing, so it need not be consistent: what it misses is seen by the next one, at the
 * latest by the consistent one that ends the bucket.
 *
 * @returns the cursors of the shards that are caught up
 */
export async function passQuiet(
  cursors: readonly Cursor[],
  deps: DispatchDeps,
  limits: SweepLimits,
): Promise<Map<number, Cursor>> {
  const untilMs = sweepUntilMs(deps);
  const isOver = ({ minute }: Cursor) => minute < minuteOf(untilMs);
  const done = new Map<number, Cursor>();
  let quiet = cursors.filter((cursor) => cursor.busy === 0 && !wasJustSwept(cursor, deps));
  while (quiet.length > 0 && hasTime(limits)) {
    const range = { before: compactInstant(untilMs), isConsistent: isOver };
    const empty = await atEmptyBuckets(quiet, range, deps);
    for (const cursor of empty) if (!isOver(cursor)) done.set(cursor.shard, cursor);
    quiet = await moveToNextBucket(empty.filter(isOver), deps);
  }
  return done;
}
