import { type Clock, MINUTE_MS } from '../clock/clock';
import type { ScheduleStore } from '../store/schedule-store';
import type { ShardsInForce } from '../deps';
import { remembered } from '../async/cached';

/**
 * Reads the number in force, once for all who ask at the same time, and keeps it for a minute: a raised number reaches
 * every writer by then, and an entry under the old number is found all the same, because every shard that has a cursor
 * is served.
 * `onMissing` makes the row where no tick has run yet.
 */
export function shardsInForce(
  store: Pick<ScheduleStore, 'readShards'>,
  clock: Clock,
  onMissing?: () => Promise<number>,
): ShardsInForce {
  return remembered(MINUTE_MS, clock, async () => {
    let { count } = await store.readShards();
    if (count === 0 && onMissing) count = await onMissing();
    if (count === 0) throw new Error('the number of shards is not set yet: the tick has never run');
    return count;
  });
}
