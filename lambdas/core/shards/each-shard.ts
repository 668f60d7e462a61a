import { MINUTE_MS } from '../clock/clock';

/**
 * Works on the shards of one request one after another. A shard that fails holds up no other, and another one begins each
 * minute, so that a slow first shard cannot starve the rest. Throws what failed, together.
 */
export async function eachShard(
  shards: readonly number[],
  nowMs: number,
  work: (shard: number) => Promise<void>,
): Promise<void> {
  const first = Math.floor(nowMs / MINUTE_MS) % shards.length;
  const failures: unknown[] = [];
  for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
    try {
      await work(shard);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${shards.length} shards failed`);
}
