import { type Clock, HOUR_MS } from '../clock/clock';
import { minuteOf } from '../contracts/tables';
import type { Cursor, ScheduleStore } from '../store/schedule-store';

const CURSOR_KINDS = ['scan', 'sweep'] as const;

export interface ActiveShards {
  count: number;
  /** The scan cursors of shards that were active before. */
  cursors: Cursor[];
  /** See `ShardCounts`. */
  sweepsRequestedThroughMs?: number;
}

/**
 * Raises the active shard count to `wanted`, and never lowers it. Cursors are created first, at an hour ago.
 * All that is written to a new shard from the moment of the raise therefore lies ahead of its cursor.
 * @returns the shards that are active afterwards
 */
export async function raiseShards(
  wanted: number,
  { schedule, clock }: { schedule: ScheduleStore; clock: Clock },
): Promise<ActiveShards> {
  const { count, sweepsRequestedThroughMs } = await schedule.readShards();
  const shards = Array.from({ length: Math.max(wanted, count) }, (_, shard) => shard);
  // This read may miss a cursor that was created a moment ago. Creating it again has no effect.
  const known = await schedule.readCursors('scan', shards, { consistent: false });
  const isRaised = count < wanted;
  if (isRaised || shards.some((shard) => !known.has(shard))) {
    const nowMs = clock.nowMs();
    const start = { minute: minuteOf(nowMs - HOUR_MS), after: '', movedAtMs: nowMs, entriesInLastBucket: 0 };
    await schedule.createCursors(
      shards.flatMap((shard) => CURSOR_KINDS.map((kind) => ({ kind, shard, ...start }))),
    );
    if (isRaised) await schedule.raiseShards(wanted);
  }
  return {
    count: shards.length,
    cursors: [...known.values()],
    ...(!isRaised && { sweepsRequestedThroughMs }),
  };
}
