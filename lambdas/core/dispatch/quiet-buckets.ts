import { inParallel } from '../batching/in-parallel';
import type { Clock } from '../clock/clock';
import type { Cursor, ScheduleStore } from '../store/schedule-store';

const SIDE_BY_SIDE = 16;

/**
 * A glance at the bucket of each cursor, side by side. What got no answer does not count as empty: the pass that is left
 * with it asks again, and says what is wrong.
 *
 * @param before sort key that ends the glance; the bucket's end by default
 * @returns those with no entry ahead of them
 */
export async function atEmptyBuckets(
  cursors: readonly Cursor[],
  { before, isConsistent }: { before?: string; isConsistent: (cursor: Cursor) => boolean },
  { schedule }: { schedule: Pick<ScheduleStore, 'readBucket'> },
): Promise<Cursor[]> {
  const empty: Cursor[] = [];
  await inParallel(cursors, SIDE_BY_SIDE, async (cursor) => {
    const { minute, shard, after } = cursor;
    const range = { minute, shard, after: after || undefined, before, limit: 1 };
    const page = await schedule
      .readBucket({ ...range, consistent: isConsistent(cursor) })
      .catch(() => undefined);
    if (page?.entries.length === 0 && page.unreadable.length === 0) empty.push(cursor);
  });
  return empty;
}

/**
 * Moves cursors, all of one kind, to the beginning of their next bucket: those of a row for one write. A row that gets no
 * answer counts as not moved.
 *
 * @returns those that moved, where they stand now
 */
export async function moveToNextBucket(
  cursors: readonly Cursor[],
  { schedule, clock }: { schedule: Pick<ScheduleStore, 'moveCursors'>; clock: Pick<Clock, 'nowMs'> },
): Promise<Cursor[]> {
  if (cursors.length === 0) return [];
  const movedAtMs = clock.nowMs();
  const moves = cursors.map((seen) => ({
    seen,
    to: { ...seen, minute: seen.minute + 1, after: '', movedAtMs, busy: 0 },
  }));
  const moved = await schedule.moveCursors(moves).catch(() => new Set<number>());
  return moves.filter(({ seen }) => moved.has(seen.shard)).map(({ to }) => to);
}
