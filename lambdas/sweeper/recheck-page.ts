import { chunksOf } from '../core/async/chunks';
import { HOUR_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import type { Entry } from '../core/domain/entry';
import { followUps } from '../core/domain/follow-ups';
import { RECHECK_AFTER_MS } from '../core/domain/timing';
import { isTerminal } from '../core/domain/transitions';
import { releaseGates } from '../core/gates/release';
import { executionMapKey, type ExecutionRef, type ExecutionStatusRow } from '../core/store/execution-store';
import { isRetryable } from '../core/is-retryable';
import { fileRecheck, type RecheckContext } from './recheck';
import { recheckEntry, provesNextEntry } from './recheck-entry';
import { refsOf } from './execution-refs';

const TRIES = 3;
/** Entries that need more than a getStatuses are looked at this many at a time. */
const CONCURRENCY = 10;

/**
 * Looks at one page of entries in their order. What has ended needs no more than the page's one batch of
 * reads.
 *
 * @param hasTime whether there is time to context at some more of them; the first are looked at in any case,
 *   so that each pass comes a little further
 * @returns how many, counted from the first, are settled: all of them, or up to the first that got no answer
 *   or no time
 */
export async function recheckPage(
  entries: readonly Entry[],
  context: RecheckContext,
  hasTime: () => boolean,
): Promise<number> {
  const { deps } = context;
  if (entries.length === 0) return 0;
  const refs = entries.map(refsOf);
  const statuses = await deps.executions.getStatuses(refs.flat());
  const unreleased = await repeatFollowUps(refs.flat(), statuses, deps);
  const isSettled = (entry: Entry, own: readonly ExecutionRef[]) =>
    own.every((ref) => {
      const key = executionMapKey(ref);
      const row = statuses.get(key);
      if (row === undefined || !isTerminal(row.status) || unreleased.has(key)) return false;
      if (endedDuringRecheck(entry, row)) deps.publishEnd({ ...ref, ...row });
      return provesNextEntry(entry, row);
    });
  const open = entries.flatMap((entry, index) => (isSettled(entry, refs[index]!) ? [] : [{ entry, index }]));

  for (const [turn, side] of chunksOf(open, CONCURRENCY).entries()) {
    if (turn > 0 && !hasTime()) return side[0]!.index;
    const settled = await Promise.allSettled(side.map(({ entry }) => settle(entry, context)));
    const firstFailed = settled.findIndex(({ status }) => status === 'rejected');
    if (firstFailed < 0) continue;
    const { reason } = settled[firstFailed] as PromiseRejectedResult;
    const { entry, index } = side[firstFailed]!;
    deps.log.error('context got no answer, sweep stops here', reason, {
      jobKey: entry.jobKey,
      shard: entry.shard,
    });
    return index;
  }
  return entries.length;
}

/**
 * Runs the follow-ups of ended executions once more: the sweep's cursor is the record that they were done.
 * Those of plain jobs have none.
 *
 * @returns the keys of those whose follow-ups failed: their entries are rechecked one by one
 */
async function repeatFollowUps(
  refs: readonly ExecutionRef[],
  statuses: ReadonlyMap<string, ExecutionStatusRow>,
  deps: StageDeps,
): Promise<ReadonlySet<string>> {
  const ended = refs.flatMap((ref) => {
    const row = statuses.get(executionMapKey(ref));
    return row && followUps(row).length > 0 ? [{ ...ref, ...row }] : [];
  });
  if (ended.length === 0) return new Set();
  const failed = await releaseGates(ended, deps);
  return new Set([...failed.keys()].map(executionMapKey));
}

/**
 * An earlier recheck of the same entry may have ended it, and may have died before its event went out. The
 * event is published again, under the same id.
 */
const endedDuringRecheck = ({ checkAtMs }: Entry, { finishedAtMs = 0 }: ExecutionStatusRow): boolean =>
  finishedAtMs >= checkAtMs + RECHECK_AFTER_MS;

/**
 * One entry to its settlement. What fails three looks for a reason of its own is filed again, as it is, an
 * hour from now, with an alarm: it must not hold up the shard. Throws where the moment is at fault.
 */
async function settle(entry: Entry, context: RecheckContext): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await recheckEntry(entry, context);
    } catch (error) {
      if (isRetryable(error)) throw error;
      if (tries < TRIES) continue;
      context.deps.meter.count(Metric.quarantined);
      context.deps.log.error('entry filed again in an hour', error, {
        jobKey: entry.jobKey,
        shard: entry.shard,
      });
      return fileRecheck(entry, { pauseMs: HOUR_MS, rechecks: entry.rechecks ?? 0 }, context.deps);
    }
  }
}
