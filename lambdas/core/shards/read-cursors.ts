import type { CursorKind } from '../contracts/tables';
import type { Cursor, ScheduleStore } from '../store/schedule-store';
import type { Log } from '../telemetry/telemetry';

/**
 * The cursors of the shards of one request, in one call. Where that fails there are none, and each shard reads its own:
 * one without an answer holds up no other.
 */
export async function cursorsOf(
  kind: CursorKind,
  shards: readonly number[],
  { schedule, log }: { schedule: Pick<ScheduleStore, 'readCursors'>; log: Log },
  options?: { consistent: boolean },
): Promise<Map<number, Cursor>> {
  if (shards.length === 0) return new Map();
  try {
    return await schedule.readCursors(kind, shards, options);
  } catch (error) {
    log.warn('cursors are read one by one', { error: String(error) });
    return new Map();
  }
}
