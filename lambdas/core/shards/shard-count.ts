import { type Clock, MINUTE_MS } from '../clock/clock';
import type { ScheduleStore } from '../store/schedule-store';
import type { ActiveShardCount } from '../deps';
import { cached } from '../async/cached';

/**
 * Reads the active shard count, and caches it for a minute: a raised count reaches every writer by then. An
 * entry that is written by the old count is found as well, because every shard with a cursor is scanned and
 * swept.
 *
 * @param onMissing sets the count if no tick has run yet, and returns it. Default: an error
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
