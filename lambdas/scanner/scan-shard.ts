import { Metric } from '../core/contracts/metrics';
import { minuteStartMs } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { type CatchUpPacer, catchUpPacer } from '../core/domain/plan-entry';
import { hasTime, type TimeBudget } from '../core/async/time-budget';
import type { Cursor, CursorMove } from '../core/store/schedule-store';
import { scanPage } from './scan-page';

export interface ScanResult {
  shard: number;
  buckets: number;
  entries: number;
  /** Why the pass ended: nothing left within the horizon, time is short, another scanner moved the cursor, no cursor. */
  ended: 'caught-up' | 'out-of-time' | 'overtaken' | 'no-cursor';
}

/** Rows of one Query page: a page of entries is about 250 KB at the most, far below the 1 MB bound. */
const PAGE_LIMIT = 500;
/**
 * The least time from one full page to the next. What follows the entries of one bucket mostly lies in one other, and a
 * partition takes 1,000 writes a second: this makes 800.
 */
const PAGE_PACE_MS = 625;

/**
 * One bounded pass over one shard: its buckets strictly in order, from the cursor up to the horizon. The cursor moves
 * from a bucket to the next, and only after everything in it is done: that move is the commit point, and everything
 * before it can be repeated. A bucket that takes longer than one pass is done in several: whatever is written behind the
 * cursor meanwhile is sent by its writer, who does the scanner's step wherever the scanner may have been. Two scanners on one shard waste work and do no harm.
 *
 * Throws where a store or queue gives no answer; the cursor then stands where it stood.
 *
 * @param seen the cursor, where it was read just now: one that has moved since is found out by the move
 */
export async function scanShard(
  shard: number,
  deps: StageDeps,
  limits: TimeBudget,
  seen?: Cursor,
): Promise<ScanResult> {
  const result = { shard, buckets: 0, entries: 0 };
  let cursor = seen ?? (await deps.schedule.readCursors('scan', [shard])).get(shard);
  if (!cursor) return { ...result, ended: 'no-cursor' };
  const pacer = catchUpPacer(deps.clock.nowMs());

  while (minuteStartMs(cursor.minute) <= deps.clock.nowMs() + deps.horizonMs) {
    if (!hasTime(limits)) return { ...result, ended: 'out-of-time' };
    const { entries, after } = await scanBucket(cursor, pacer, deps, limits);
    const isDone = after === undefined;
    result.buckets += isDone ? 1 : 0;
    result.entries += entries;
    const to: CursorMove['to'] = {
      minute: isDone ? cursor.minute + 1 : cursor.minute,
      after: after ?? '',
      movedAtMs: deps.clock.nowMs(),
      entriesInLastBucket: entries,
    };
    if ((await deps.schedule.moveCursor(cursor, to)) === 'lost') return { ...result, ended: 'overtaken' };
    if (!isDone) return { ...result, ended: 'out-of-time' };
    cursor = { ...cursor, ...to };
  }
  return { ...result, ended: 'caught-up' };
}

/**
 * Page after page; the messages of one may still be on their way, each at its moment, while the next is begun.
 *
 * @returns where to go on in the bucket, if time was too short for all of it
 */
async function scanBucket(
  cursor: Cursor,
  pacer: CatchUpPacer,
  deps: StageDeps,
  limits: TimeBudget,
): Promise<{ entries: number; after?: string }> {
  let entries = 0;
  let after = cursor.after || undefined;
  let inHand = Promise.allSettled<void>([]);
  do {
    const startMs = deps.clock.monotonicMs();
    const page = await deps.schedule.readBucket({
      minute: cursor.minute,
      shard: cursor.shard,
      after,
      limit: PAGE_LIMIT,
    });
    for (const entry of page.unreadable) {
      deps.meter.count(Metric.quarantined);
      deps.log.error('entry quarantined', new Error('unreadable row'), { entry, shard: cursor.shard });
    }
    throwRejected(await inHand);
    inHand = Promise.allSettled([scanPage(page.entries, pacer, deps)]);
    entries += page.entries.length;
    after = page.nextAfter;
    if (after !== undefined) await deps.clock.sleep(startMs + PAGE_PACE_MS - deps.clock.monotonicMs());
  } while (after !== undefined && hasTime(limits));
  throwRejected(await inHand);
  return { entries, after };
}

function throwRejected(outcomes: readonly PromiseSettledResult<void>[]): void {
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
