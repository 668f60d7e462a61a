import { chunksOf } from '../core/async/chunks';
import { HOUR_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import type { Entry } from '../core/domain/entry';
import { RECHECK_AFTER_MS } from '../core/domain/timing';
import { isTerminal } from '../core/domain/transitions';
import { isTaskExecution } from '../core/domain/workflow/task-id';
import { executionMapKey, type ExecutionRef, type ExecutionStatusRow } from '../core/store/execution-store';
import { isRetryable } from '../core/is-retryable';
import { fileRecheck, type RecheckContext } from './recheck';
import { isBeforeRetry, provesNextEntry, recheckEntry } from './recheck-entry';
import { refsOf } from './execution-refs';

const TRIES = 3;
/** Entries rechecked side by side, of those that need more than a status read. */
const CONCURRENCY = 10;

/**
 * Rechecks a page of entries in order. An entry whose executions have ended needs only the status read.
 *
 * @param hasTime whether there is time for more. The first few are rechecked in any case, so that each pass
 *   makes progress
 * @returns how many entries are settled, counted from the first. It stops at an entry for which a store or
 *   queue does not respond, or for which there is no time
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
      return provesNextEntry(entry, row) && !isBeforeRetry(entry, row);
    });
  const open = entries.flatMap((entry, index) => (isSettled(entry, refs[index]!) ? [] : [{ entry, index }]));

  for (const [chunkIndex, chunk] of chunksOf(open, CONCURRENCY).entries()) {
    if (chunkIndex > 0 && !hasTime()) return chunk[0]!.index;
    const outcomes = await Promise.allSettled(chunk.map(({ entry }) => settle(entry, context)));
    const firstFailed = outcomes.findIndex(({ status }) => status === 'rejected');
    if (firstFailed < 0) continue;
    const { reason } = outcomes[firstFailed] as PromiseRejectedResult;
    const { entry, index } = chunk[firstFailed]!;
    deps.log.error('recheck got no answer, sweep stops here', reason, {
      jobKey: entry.jobKey,
      shard: entry.shard,
    });
    return index;
  }
  return entries.length;
}

/**
 * Runs the follow-ups of ended executions once more: the sweep's cursor is the record that they were done.
 * Those of plain jobs have none. Then it tells the notifications of the ends.
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
    return row && isTerminal(row.status) && !isTaskExecution(ref.execId) ? [{ ...ref, ...row }] : [];
  });
  if (ended.length === 0) return new Set();
  const failed = await deps.followUps.afterPage(ended, deps);
  return new Set([...failed.keys()].map(executionMapKey));
}

/**
 * An earlier recheck of the same entry may have ended it, and may have died before its event went out. The
 * event is published again, under the same id.
 */
const endedDuringRecheck = ({ checkAtMs }: Entry, { finishedAtMs = 0 }: ExecutionStatusRow): boolean =>
  finishedAtMs >= checkAtMs + RECHECK_AFTER_MS;

/**
 * Settles one entry. One that fails three times by its own fault must not block the shard. It is filed again
 * unchanged, an hour from now, and counted for the alarm. Throws if the error is retryable.
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
