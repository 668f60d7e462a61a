import { type Clock, HOUR_MS } from '../clock/clock';
import { minuteOf } from '../contracts/tables';
import type { Cursor, ScheduleStore } from '../store/schedule-store';

const CURSOR_KINDS = ['scan', 'sweep'] as const;

/**
 * Brings the number of shards in force up to `wanted`, never down. Cursors first, at an hour ago: whatever is written
 * under a new shard number the moment the number is raised lies ahead of its cursor.
 * @returns the number in force afterwards
 */
export async function raiseShards(
  wanted: number,
  deps: { schedule: ScheduleStore; clock: Clock },
): Promise<{ count: number; cursors: Cursor[] }> {
  const { count } = await deps.schedule.readShards();
  const shards = Array.from({ length: Math.max(wanted, count) }, (_, shard) => shard);
  // One that was made a moment ago and is not seen yet is made again in vain.
  const seen = await deps.schedule.readCursors('scan', shards, { consistent: false });
  const missing = shards.filter((shard) => !seen.has(shard));
  if (missing.length > 0 || count < wanted) {
    const nowMs = deps.clock.nowMs();
    const fresh = shards.flatMap((shard) =>
      CURSOR_KINDS.map((kind) => ({
        kind,
        shard,
        minute: minuteOf(nowMs - HOUR_MS),
        after: '',
        movedAtMs: nowMs,
        entriesInLastBucket: 0,
      })),
    );
    await deps.schedule.createCursors(fresh);
    if (count < wanted) await deps.schedule.raiseShards(wanted);
  }
  return { count: Math.max(wanted, count), cursors: [...seen.values()] };
}
