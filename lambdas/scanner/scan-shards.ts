import { Metric } from '../core/contracts/metrics';
import { minuteStartMs } from '../core/contracts/tables';
import type { DispatchDeps } from '../core/dispatch/deps';
import type { Cursor } from '../core/store/schedule-store';
import { passQuiet } from './pass-quiet';
import { type ScanLimits, scanShard } from './scan-shard';

type EachShard = (
  shards: readonly number[],
  nowMs: number,
  work: (shard: number) => Promise<void>,
) => Promise<void>;

/**
 * One bounded pass over the shards of one request: the quiet ones together, then what is left one shard after another.
 * Throws what failed, once all have had their turn.
 *
 * @param eachShard runs the work on one shard after another
 */
export async function scanShards(
  shards: readonly number[],
  deps: DispatchDeps,
  limits: ScanLimits,
  eachShard: EachShard,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const cursors = await readTogether(shards, deps);
  for (const { minute } of cursors.values())
    deps.meter.record(Metric.cursorLagSec, Math.max(0, (nowMs - minuteStartMs(minute)) / 1_000));
  const caughtUp = await passQuiet([...cursors.values()], deps, limits);
  const others = shards.filter((shard) => !caughtUp.has(shard));
  if (others.length === 0) return;
  await eachShard(others, nowMs, async (shard) => {
    const result = await scanShard(shard, deps, limits);
    if (result.entries > 0 || result.ended !== 'caught-up') deps.log.info('scanned', { ...result });
  });
}

/** Where that fails, each shard reads its own: one cursor without an answer holds up no other. */
async function readTogether(shards: readonly number[], deps: DispatchDeps): Promise<Map<number, Cursor>> {
  try {
    return await deps.schedule.readCursors('scan', shards);
  } catch (error) {
    deps.log.warn('cursors are read one by one', { error: String(error) });
    return new Map();
  }
}
