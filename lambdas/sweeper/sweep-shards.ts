import { SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { minuteStartMs } from '../core/contracts/tables';
import { cursorsOf } from '../core/shards/read-cursors';
import type { StageDeps } from '../core/deps';
import { eachShard } from '../core/shards/each-shard';
import type { TimeBudget } from '../core/async/time-budget';
import type { Cursor } from '../core/store/schedule-store';
import { advanceIdleShards } from './advance-idle-shards';
import { sweepShard, sweepUntilMs } from './sweep-shard';

/**
 * One bounded pass over the shards of one request: the idle ones together, then what is left one shard after another.
 * Cursors are not read consistently: from where a cursor stood a moment ago a sweep finds the same entries again, and its
 * own move is refused.
 */
export async function sweepShards(
  shards: readonly number[],
  deps: StageDeps,
  limits: TimeBudget,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const cursors = await cursorsOf('sweep', shards, deps, { consistent: false });
  for (const cursor of cursors.values()) recordLag(cursor, deps);
  const caughtUp = await advanceIdleShards(cursors, deps, limits);
  const others = shards.filter((shard) => !caughtUp.has(shard));
  if (others.length === 0) return;
  await eachShard(others, nowMs, async (shard) => {
    const result = await sweepShard(shard, deps, limits, cursors.get(shard));
    if (result.settled > 0) deps.log.info('swept', { ...result });
  });
}

/** Within the minute that is being swept there is no lag. */
function recordLag({ minute }: Cursor, { meter, clock }: StageDeps): void {
  const lagMs = sweepUntilMs({ clock }) - minuteStartMs(minute + 1);
  meter.record(Metric.sweepLagSec, Math.max(0, lagMs / SECOND_MS));
}
