import { minuteStartMs } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { atEmptyBuckets, moveToNextBucket } from '../core/shards/idle-buckets';
import { hasTime, type TimeBudget } from '../core/async/time-budget';
import type { Cursor } from '../core/store/schedule-store';

/**
 * Passes over empty buckets, of all shards at once whose last one was empty too: a getStatuses at each, then one move of their
 * cursors together. What is not empty, or gets no answer, is left to a scan of its own.
 *
 * @param cursors by shard; they are kept up with where they stand. One that may have been moved by others is taken out
 * @returns the shards that have come up to the horizon
 */
export async function advanceIdleShards(
  cursors: Map<number, Cursor>,
  deps: StageDeps,
  limits: TimeBudget,
): Promise<Set<number>> {
  const isDone = ({ minute }: Cursor) => minuteStartMs(minute) > deps.clock.nowMs() + deps.horizonMs;
  const done = new Set<number>();
  let quiet = [...cursors.values()].filter(
    ({ entriesInLastBucket: busy, after }) => busy === 0 && after === '',
  );
  for (;;) {
    for (const { shard } of quiet.filter(isDone)) done.add(shard);
    quiet = quiet.filter((cursor) => !isDone(cursor));
    if (quiet.length === 0 || !hasTime(limits)) return done;
    const empty = await atEmptyBuckets(quiet, { isConsistent: () => true }, deps);
    for (const { shard } of empty) cursors.delete(shard);
    quiet = await moveToNextBucket(empty, deps);
    for (const cursor of quiet) cursors.set(cursor.shard, cursor);
  }
}
