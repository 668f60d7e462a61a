import { hasTime, type TimeBudget } from '../core/async/time-budget';
import { SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { compactInstant, minuteOf, minuteStartMs } from '../core/contracts/tables';
import { sortKeyAfter } from '../core/domain/entry';
import { catchUpPacer } from '../core/domain/plan-entry';
import { RECHECK_AFTER_MS } from '../core/domain/timing';
import { backlogs } from '../core/queue/backlogs';
import { type ShardVisitor, type Visit, walk, type WalkResult } from '../core/shards/walk';
import type { Cursor, EntryPage } from '../core/store/schedule-store';
import type { RecheckContext, SweeperDeps } from './recheck';
import { recheckPage } from './recheck-page';

/**
 * One bounded pass over the shards of a request: it rechecks every entry at least once, 20 s after its time.
 * A cursor moves only when all before it is settled, so no entry is lost between a pass that stalls and one
 * that overtakes it.
 *
 * Rejects with an `AggregateError` if shards fail, once all others have ended.
 */
export function sweepShards(
  shards: readonly number[],
  deps: SweeperDeps,
  budget: TimeBudget,
): Promise<WalkResult[]> {
  return walk(shards, recheckVisitor(deps, budget), deps, budget);
}

function recheckVisitor(deps: SweeperDeps, budget: TimeBudget): ShardVisitor {
  const { clock, log, meter } = deps;
  const untilMs = clock.nowMs() - RECHECK_AFTER_MS;
  const untilMinute = minuteOf(untilMs);
  return {
    kind: 'sweep',
    // Within the minute that is being swept there is no lag.
    onStart: ({ minute }) =>
      meter.record(Metric.sweepLagSec, Math.max(0, untilMs - minuteStartMs(minute + 1)) / SECOND_MS),
    onEnd: ({ shard, entries: settled, ended }) => {
      if (settled > 0) log.info('swept', { shard, settled, ended });
    },
    rangeAt: ({ minute }) => ({ before: compactInstant(untilMs), endsBucket: minute < untilMinute }),
    begin: () => {
      const context = { deps, backlogOf: backlogs(deps), pacer: catchUpPacer(clock.nowMs()) };
      return (page, cursor) => settlePage(page, cursor, context, budget);
    },
  };
}

/** Settles a page up to the first entry that cannot be settled now. */
async function settlePage(
  { entries, rowKeys, unreadable, nextAfter }: EntryPage,
  { shard, after }: Cursor,
  context: RecheckContext,
  budget: TimeBudget,
): Promise<Visit> {
  for (const entry of unreadable)
    context.deps.log.error('unreadable entry passed over', new Error(entry), { shard });
  const settled = await recheckPage(entries, context, () => hasTime(budget));
  const last = entries[settled - 1];
  if (settled < entries.length) {
    const endedBy = hasTime(budget) ? 'unsettled' : 'out-of-time';
    return { entries: settled, through: lastWholeRow(rowKeys, settled) ?? after, isDone: false, endedBy };
  }
  // The instant of the last entry is shorter than its key: the cursors of eight shards share a row of 1 KB.
  const through = nextAfter ?? (last ? sortKeyAfter(last.checkAtMs) : after);
  return { entries: settled, through, isDone: nextAfter === undefined };
}

/** The last row of which every entry is settled: the cursor cannot stand within a pack. */
const lastWholeRow = (rowKeys: readonly string[], settled: number): string | undefined =>
  rowKeys.slice(0, settled).findLast((key) => key !== rowKeys[settled]);
