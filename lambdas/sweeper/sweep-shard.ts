import { compactInstant, minuteOf } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { catchUpPacer } from '../core/domain/plan-entry';
import { hasTime, type TimeBudget } from '../core/async/time-budget';
import { type Entry, entrySortKey, sortKeyAfter } from '../core/domain/entry';
import { RECHECK_AFTER_MS } from '../core/domain/timing';
import type { Cursor } from '../core/store/schedule-store';
import { backlogs } from '../core/queue/backlogs';
import { recheckPage } from './recheck-page';

export interface SweepResult {
  shard: number;
  settled: number;
  ended: 'caught-up' | 'unsettled' | 'out-of-time' | 'overtaken' | 'no-cursor';
}

/**
 * Each page is a move of the cursor, so it is large: what ended well takes one batch of reads for a hundred
 * entries.
 */
const PAGE_LIMIT = 500;

/** Entries before this instant are to be looked at now. */
export const sweepUntilMs = ({ clock }: Pick<StageDeps, 'clock'>): number => clock.nowMs() - RECHECK_AFTER_MS;

/**
 * One bounded pass of second looks over one shard: every entry is looked at again 20 s after its time, at
 * least once. The cursor moves only when all before it is settled, conditional on where it was seen, so a
 * pass that stalls and one that overtakes it cannot lose an entry between them. Over empty time it is written
 * once a bucket.
 *
 * Throws where a store or queue gives no answer; the cursor then stands where it stood.
 *
 * @param seen the cursor, where it was seen lately: one that has moved since is found out by the move
 */
export async function sweepShard(
  shard: number,
  deps: StageDeps,
  limits: TimeBudget,
  seen?: Cursor,
): Promise<SweepResult> {
  let cursor = seen ?? (await deps.schedule.readCursors('sweep', [shard])).get(shard);
  let settled = 0;
  if (!cursor) return { shard, settled, ended: 'no-cursor' };
  const untilMs = sweepUntilMs(deps);
  const look = { deps, backlogOf: backlogs(deps.queue), pacer: catchUpPacer(deps.clock.nowMs()) };
  for (;;) {
    if (!hasTime(limits)) return { shard, settled, ended: 'out-of-time' };
    const page = await deps.schedule.readBucket({
      minute: cursor.minute,
      shard,
      after: cursor.after || undefined,
      before: compactInstant(untilMs),
      limit: PAGE_LIMIT,
    });
    for (const entry of page.unreadable)
      deps.log.error('unreadable entry passed over', new Error(entry), { shard });
    const done = await recheckPage(page.entries, look, () => hasTime(limits));
    settled += done;
    const all = done === page.entries.length;
    const last = page.entries[done - 1];
    const bucketIsOver = all && page.nextAfter === undefined && cursor.minute < minuteOf(untilMs);
    const to: Cursor = {
      ...cursor,
      minute: bucketIsOver ? cursor.minute + 1 : cursor.minute,
      after: bucketIsOver
        ? ''
        : ((all ? page.nextAfter : undefined) ?? (last ? positionAfter(last, all) : cursor.after)),
      movedAtMs: deps.clock.nowMs(),
      entriesInLastBucket: settled,
    };
    if (to.minute !== cursor.minute || to.after !== cursor.after) {
      if ((await deps.schedule.moveCursor(cursor, to)) === 'lost')
        return { shard, settled, ended: 'overtaken' };
      cursor = to;
    }
    if (!all) return { shard, settled, ended: hasTime(limits) ? 'unsettled' : 'out-of-time' };
    if (!bucketIsOver && page.nextAfter === undefined) return { shard, settled, ended: 'caught-up' };
  }
}

/**
 * Where `all` of an instant are settled, the instant says it in less: the cursors of eight shards share a row
 * of 1 KB.
 */
const positionAfter = (last: Entry, all: boolean): string =>
  all ? sortKeyAfter(last.checkAtMs) : entrySortKey(last);
