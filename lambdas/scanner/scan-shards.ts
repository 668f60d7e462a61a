import type { TimeBudget } from '../core/async/time-budget';
import { SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { minuteStartMs } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { catchUpPacer } from '../core/domain/plan-entry';
import { type ShardVisitor, walk, type WalkResult } from '../core/shards/walk';
import { scanBucket } from './scan-bucket';

/**
 * One bounded pass over the shards of a request: all buckets from each cursor up to the horizon, in order.
 * Cursors stay where they are at a bucket that is not done. Whatever is written behind a cursor is dispatched
 * by its writer, wherever the scanner may have been.
 *
 * Rejects with an `AggregateError` if shards fail, once all others have ended.
 */
export const scanShards = (
  shards: readonly number[],
  deps: StageDeps,
  budget: TimeBudget,
): Promise<WalkResult[]> => walk(shards, scanVisitor(deps, budget), deps, budget);

function scanVisitor(deps: StageDeps, budget: TimeBudget): ShardVisitor {
  const { clock, log, meter, horizonMs } = deps;
  return {
    kind: 'scan',
    onStart: ({ minute }) =>
      meter.record(Metric.cursorLagSec, Math.max(0, clock.nowMs() - minuteStartMs(minute)) / SECOND_MS),
    onEnd: (result) => {
      if (result.entries > 0 || result.ended !== 'caught-up') log.info('scanned', { ...result });
    },
    rangeAt: ({ minute }) =>
      minuteStartMs(minute) <= clock.nowMs() + horizonMs ? { endsBucket: true } : undefined,
    begin: () => {
      const pacer = catchUpPacer(clock.nowMs());
      return (page, cursor) => scanBucket(page, cursor, { deps, pacer, budget });
    },
  };
}
