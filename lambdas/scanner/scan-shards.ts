import { Metric } from '../core/contracts/metrics';
import { minuteStartMs } from '../core/contracts/tables';
import { cursorsOf } from '../core/shards/read-cursors';
import type { StageDeps } from '../core/deps';
import { eachShard } from '../core/shards/each-shard';
import type { TimeBudget } from '../core/async/time-budget';
import { advanceIdleShards } from './advance-idle-shards';
import { scanShard } from './scan-shard';

/**
 * One bounded pass over the shards of one request: the quiet ones together, then what is left one shard after another.
 * Throws what failed, once all have had their turn.
 */
export async function scanShards(
  shards: readonly number[],
  deps: StageDeps,
  limits: TimeBudget,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const cursors = await cursorsOf('scan', shards, deps);
  for (const { minute } of cursors.values())
    deps.meter.record(Metric.cursorLagSec, Math.max(0, (nowMs - minuteStartMs(minute)) / 1_000));
  const caughtUp = await advanceIdleShards(cursors, deps, limits);
  const others = shards.filter((shard) => !caughtUp.has(shard));
  if (others.length === 0) return;
  await eachShard(others, nowMs, async (shard) => {
    const result = await scanShard(shard, deps, limits, cursors.get(shard));
    if (result.entries > 0 || result.ended !== 'caught-up') deps.log.info('scanned', { ...result });
  });
}
