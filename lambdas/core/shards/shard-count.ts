import { type Clock, MINUTE_MS } from '../clock/clock';
import type { ScheduleStore } from '../store/schedule-store';
import type { ActiveShardCount } from '../deps';
import { cached } from '../async/cached';

/**
 * Reads the number in force, once for all who ask at the same time, and keeps it for a minute: a raised number reaches
 * every writer by then, and an entry under the old number is found all the same, because every shard that has a cursor
 * is served.
 * `onMissing` makes the row where no tick has run yet.
 */
export function activeShardCount(
  store: Pick<ScheduleStore, 'readShards'>,
  clock: Clock,
  onMissing?: () => Promise<number>,
): ActiveShardCount {
  return cached(MINUTE_MS, clock, async () => {
    let { count } = await store.readShards();
    if (count === 0 && onMissing) count = await onMissing();
    if (count === 0) throw new Error('the number of shards is not set yet: the tick has never run');
    return count;
  });
}
