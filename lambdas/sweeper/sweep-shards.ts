import { SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { minuteOf, minuteStartMs } from '../core/contracts/tables';
import { cursorsOf } from '../core/shards/read-cursors';
import type { StageDeps } from '../core/deps';
import { eachShard } from '../core/shards/each-shard';
import type { TimeBudget } from '../core/async/time-budget';
import type { Cursor } from '../core/store/schedule-store';
import { advanceIdleShards } from './advance-idle-shards';
import { NOT_AGAIN_WITHIN_MS, sweepShard, sweepUntilMs, wasJustSwept } from './sweep-shard';

/**
 * A cursor that was left before the last round of requests is read again: others may have gone on with it.
 */
const CACHED_FOR_MS = 12 * SECOND_MS;

/** What one execution environment left behind at its last sweep of each shard: a hint that saves reads. */
export type LastSweeps = Map<number, { atMs: number; cursor: Cursor }>;

/**
 * One bounded pass over the shards of one request that this environment has not swept just now: the quiet
 * ones together, then what is left one shard after another. It starts from where it left a cursor a moment
 * ago, or reads the cursors in one call, not consistently: from where a cursor stood a moment ago a sweep
 * finds the same entries again, and its own move is refused.
 */
export async function sweepShards(
  shards: readonly number[],
  deps: StageDeps,
  limits: TimeBudget,
  last: LastSweeps,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const sweptWithin = (shard: number, ms: number): boolean => {
    const sinceMs = nowMs - (last.get(shard)?.atMs ?? Number.NEGATIVE_INFINITY);
    return sinceMs >= 0 && sinceMs < ms; // the wall clock may have stepped back
  };
  const due = shards.filter((shard) => !sweptWithin(shard, NOT_AGAIN_WITHIN_MS));
  // At a new minute the cursor moves, whoever comes first: then it is worth knowing where it stands.
  const untilMinute = minuteOf(sweepUntilMs(deps));
  const forgotten = due.filter(
    (shard) => !sweptWithin(shard, CACHED_FOR_MS) || last.get(shard)?.cursor.minute !== untilMinute,
  );
  const read = await cursorsOf('sweep', forgotten, deps, { consistent: false });
  const seen = new Map<number, Cursor>();
  const sweptByOthers = new Set<number>();
  for (const shard of due) {
    const cursor = forgotten.includes(shard) ? read.get(shard) : last.get(shard)?.cursor;
    last.delete(shard);
    if (!cursor) continue;
    recordLag(cursor, deps);
    // Asked here, before this pass moves cursors by itself: those it has to sweep.
    if (wasJustSwept(cursor, deps)) sweptByOthers.add(shard);
    else seen.set(shard, cursor);
  }
  const caughtUp = await advanceIdleShards(seen, deps, limits);
  for (const shard of caughtUp) last.set(shard, { atMs: nowMs, cursor: seen.get(shard)! });
  const others = due.filter((shard) => !sweptByOthers.has(shard) && !caughtUp.has(shard));
  if (others.length === 0) return;
  await eachShard(others, nowMs, async (shard) => {
    const { cursor, ...result } = await sweepShard(shard, deps, limits, seen.get(shard));
    if (cursor) last.set(shard, { atMs: nowMs, cursor });
    if (result.settled > 0) deps.log.info('swept', { ...result });
  });
}

/** Within the minute that is being swept there is no lag. */
function recordLag({ minute }: Cursor, { meter, clock }: StageDeps): void {
  const lagMs = sweepUntilMs({ clock }) - minuteStartMs(minute + 1);
  meter.record(Metric.sweepLagSec, Math.max(0, lagMs / SECOND_MS));
}
