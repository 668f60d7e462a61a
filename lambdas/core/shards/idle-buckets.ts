import { inParallel } from '../async/in-parallel';
import type { Cursor } from '../store/schedule-store';
import type { StageDeps } from '../deps';

const CONCURRENCY = 16;

type QuietDeps = Pick<StageDeps, 'schedule' | 'clock' | 'log'>;

/**
 * A getStatuses at the bucket of each cursor, side by side. What gets no answer does not count as empty: the pass that is left
 * with it asks again, and fails where there still is none.
 *
 * @param before sort key that ends the getStatuses; the bucket's end by default
 * @returns those with no entry ahead of them
 */
export async function atEmptyBuckets(
  cursors: readonly Cursor[],
  { before, isConsistent }: { before?: string; isConsistent: (cursor: Cursor) => boolean },
  { schedule, log }: QuietDeps,
): Promise<Cursor[]> {
  const empty: Cursor[] = [];
  await inParallel(cursors, CONCURRENCY, async (cursor) => {
    const { minute, shard, after } = cursor;
    const range = { minute, shard, after: after || undefined, before, limit: 1 };
    try {
      const page = await schedule.readBucket({ ...range, consistent: isConsistent(cursor) });
      if (page.entries.length === 0 && page.unreadable.length === 0) empty.push(cursor);
    } catch (error) {
      log.warn('no getStatuses at a bucket', { shard, error: String(error) });
    }
  });
  return empty;
}

/**
 * Moves cursors, all of one kind, to the beginning of their next bucket: those of a row for one write. What gets no answer
 * counts as not moved: the pass that is left with it finds out.
 *
 * @returns those that moved, where they stand now
 */
export async function moveToNextBucket(
  cursors: readonly Cursor[],
  { schedule, clock, log }: QuietDeps,
): Promise<Cursor[]> {
  if (cursors.length === 0) return [];
  const movedAtMs = clock.nowMs();
  const moves = cursors.map((seen) => ({
    seen,
    to: { ...seen, minute: seen.minute + 1, after: '', movedAtMs, entriesInLastBucket: 0 },
  }));
  const { moved, errors } = await schedule.moveCursors(moves);
  for (const error of errors) log.warn('no answer to a move of cursors', { error: String(error) });
  return moves.filter(({ seen }) => moved.has(seen.shard)).map(({ to }) => to);
}
