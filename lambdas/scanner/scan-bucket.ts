import { hasTime, type TimeBudget } from '../core/async/time-budget';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import { type Entry, entrySortKey } from '../core/domain/entry';
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
 * The least time for each entry. The next entries of one bucket mostly lie in one other, and a partition
 * takes 1,000 writes a second: this makes 800.
 */
const ENTRY_PACE_MS = 1.25;
/**
 * Sending a page takes up to a second, because its messages are phase-aligned. Meanwhile next ones are begun,
 * until so many entries are in hand.
 */
const MOST_IN_HAND = 2 * PAGE_LIMIT;

/** Scans a bucket page by page, from `first` to its end or until there is no time for another page. */
export async function scanBucket(
  first: EntryPage,
  { minute, shard }: Cursor,
  { deps, pacer, budget }: ScanContext,
): Promise<Visit> {
  const { schedule, clock } = deps;
  const inHand: { size: number; sent: Promise<PromiseSettledResult<void>[]> }[] = [];
  const isNew = onceEach();
  let entries = 0;
  for (let page = first; ;) {
    const startMs = clock.monotonicMs();
    quarantine(page.unreadable, shard, deps);
    const size = page.entries.length + page.unreadable.length;
    inHand.push({ size, sent: Promise.allSettled([scanPage(page.entries.filter(isNew), pacer, deps)]) });
    entries += page.entries.length;
    const { nextAfter } = page;
    if (nextAfter === undefined || !hasTime(budget)) {
      for (const { sent } of inHand) throwRejected(await sent);
      if (nextAfter === undefined) return { entries, through: '', isDone: true };
      return { entries, through: nextAfter, isDone: false, endedBy: 'out-of-time' };
    }
    while (sizeOf(inHand) >= MOST_IN_HAND) throwRejected(await inHand.shift()!.sent);
    await clock.sleep(startMs + size * ENTRY_PACE_MS - clock.monotonicMs());
    page = await schedule.readBucket({ minute, shard, after: nextAfter, limit: PAGE_LIMIT });
  }
}

const sizeOf = (inHand: readonly { size: number }[]): number =>
  inHand.reduce((sum, { size }) => sum + size, 0);

/**
 * Whether an entry of the bucket comes for the first time. Two passes with different views of jobs may have
 * packed it twice. Without this, each later bucket would have it twice too.
 */
function onceEach(): (entry: Entry) => boolean {
  const seen = new Set<string>();
  return (entry) => entry.rechecks !== undefined || seen.size < seen.add(entrySortKey(entry)).size;
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
