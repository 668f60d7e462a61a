import { hasTime, type TimeBudget } from '../core/async/time-budget';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import type { CatchUpPacer } from '../core/domain/plan-entry';
import { PAGE_LIMIT, type Visit } from '../core/shards/walk';
import type { Cursor, EntryPage } from '../core/store/schedule-store';
import { scanPage } from './scan-page';

export interface ScanContext {
  deps: StageDeps;
  /** One for all catch-ups of a shard's pass. */
  pacer: CatchUpPacer;
  budget: TimeBudget;
}

/**
 * The least time from one full page to the next. The next entries of one bucket mostly lie in one other, and
 * a partition takes 1,000 writes a second: this makes 800.
 */
const PAGE_PACE_MS = 625;
/**
 * Sending a page takes up to a second, because its messages are phase-aligned. Meanwhile the next one is
 * begun.
 */
const PAGES_IN_HAND = 2;

/** Scans a bucket page by page, from `first` to its end or until there is no time for another page. */
export async function scanBucket(
  first: EntryPage,
  { minute, shard }: Cursor,
  { deps, pacer, budget }: ScanContext,
): Promise<Visit> {
  const { schedule, clock } = deps;
  const inHand: Promise<PromiseSettledResult<void>[]>[] = [];
  let entries = 0;
  for (let page = first; ;) {
    const startMs = clock.monotonicMs();
    quarantine(page.unreadable, shard, deps);
    inHand.push(Promise.allSettled([scanPage(page.entries, pacer, deps)]));
    entries += page.entries.length;
    const { nextAfter } = page;
    if (nextAfter === undefined || !hasTime(budget)) {
      for (const sent of inHand) throwRejected(await sent);
      if (nextAfter === undefined) return { entries, through: '', isDone: true };
      return { entries, through: nextAfter, isDone: false, endedBy: 'out-of-time' };
    }
    if (inHand.length === PAGES_IN_HAND) throwRejected(await inHand.shift()!);
    await clock.sleep(startMs + PAGE_PACE_MS - clock.monotonicMs());
    page = await schedule.readBucket({ minute, shard, after: nextAfter, limit: PAGE_LIMIT });
  }
}

/** Rows that are no entries cannot be handled, and must not stop the others. */
function quarantine(unreadable: readonly string[], shard: number, { log, meter }: StageDeps): void {
  for (const entry of unreadable) {
    meter.count(Metric.quarantined);
    log.error('entry quarantined', new Error('unreadable row'), { entry, shard });
  }
}

function throwRejected(outcomes: readonly PromiseSettledResult<void>[]): void {
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
