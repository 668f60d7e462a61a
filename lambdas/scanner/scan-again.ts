import type { TimeBudget } from '../core/async/time-budget';
import { minuteOf } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { catchUpPacer } from '../core/domain/plan-entry';
import { PAGE_LIMIT } from '../core/shards/walk';
import { scanBucket } from './scan-bucket';

/**
 * Scans again what was dispatched ahead into queues that are gone. That is from the minute in which the
 * present queues began up to each cursor that has not moved since. The rechecks find what was due before. A
 * message that comes twice does no harm, because one claim wins.
 */
export async function scanAgain(
  shards: readonly number[],
  queuesSinceMs: number,
  deps: StageDeps,
  budget: TimeBudget,
): Promise<void> {
  const pacer = catchUpPacer(deps.clock.nowMs());
  const cursors = await deps.schedule.readCursors('scan', shards);
  for (const cursor of cursors.values()) {
    if (cursor.movedAtMs >= queuesSinceMs) continue;
    for (let minute = minuteOf(queuesSinceMs); minute < cursor.minute; minute++) {
      const { shard } = cursor;
      const page = await deps.schedule.readBucket({ minute, shard, limit: PAGE_LIMIT });
      await scanBucket(page, { ...cursor, minute }, { deps, pacer, budget });
    }
  }
}
