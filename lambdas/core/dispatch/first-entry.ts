import { MINUTE_MS } from '../clock/clock';
import { jobKeyOf, minuteStartMs } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { OccurrenceEntry } from '../domain/entry';
import { decidedAfterMs, entryAfter, firstEntry, scheduleOf } from '../domain/entry-planning';
import type { Execution } from '../domain/execution';
import { type Job, plannedSinceMs } from '../domain/job';
import { runsThrough } from '../domain/planned-times';
import { shardOf } from '../domain/shard';
import { coveredThroughMs, newestRowThrough } from '../history/coverage';
import { dispatchAhead } from './dispatch-ahead';

/** A scanner that has been away for longer is no longer waited for. */
const SCANNER_RETURNS_WITHIN_MS = 30 * MINUTE_MS;

/**
 * The sweeper rechecks an entry 20 s after its time, in passes ten seconds apart. One that takes longer than
 * this is no longer waited for.
 */
const SWEPT_WITHIN_MS = MINUTE_MS;

/**
 * Makes sure that an active job with occurrences left has a pending entry: the entry of its next occurrence.
 * Any shard count that was ever active may have filed it. If there is none, the series restarts after the
 * last occurrence with a record, and the misfire policy decides what fell due since.
 *
 * In maintenance mode it repairs nothing, because a pause of all series is what that mode causes. A scanner
 * that is behind by less than half an hour continues the series itself, so nothing is repaired then either.
 * So does the sweeper, if an entry of the series has come within the last minute.
 *
 * Throws if a store or queue fails, and if the schedule cannot be read.
 *
 * @param shardCounts every shard count that was ever active
 * @returns `missing`: there is no pending entry, and the deployment is in maintenance mode. `awaits-scan`:
 *   there is none, because the scanner is behind. `awaits-sweep`: the next sweep writes it.
 */
export async function ensurePendingEntry(
  job: Job,
  shardCounts: readonly number[],
  deps: StageDeps,
): Promise<'present' | 'repaired' | 'missing' | 'awaits-scan' | 'awaits-sweep'> {
  const jobKey = jobKeyOf(job);
  const shard = shardOf(jobKey, await deps.shardCount());
  const nowMs = deps.clock.nowMs();
  const schedule = scheduleOf(job);
  const decidedMs = nowMs - decidedAfterMs(job);
  // The clock here may be behind the one that changed the job.
  const pending = firstEntry(job, schedule, shard, Math.max(decidedMs, plannedSinceMs(job)));
  if (!pending) return 'present';
  const shards = [shard, ...shardCounts.map((count) => shardOf(jobKey, count))];
  if (await hasPendingEntry(pending, shards, deps)) return 'present';
  if (await deps.inMaintenance()) return 'missing';
  if (await isScannerBehind(shards, nowMs, deps)) return 'awaits-scan';
  const recent = firstEntry(job, schedule, shard, decidedMs - SWEPT_WITHIN_MS);
  if (recent && (await hasPendingEntry(recent, shards, deps))) return 'awaits-sweep';
  // A change of the job in the meantime has written an entry of its own: repair only what is still the same.
  const current = await deps.jobs.get(job);
  if (current?.revision !== job.revision || current.status !== 'active') return 'present';
  const afterMs = await lastCoveredMs(job, decidedMs, deps);
  const runsBefore = runsThrough(job, schedule, afterMs);
  const first = entryAfter(job, schedule, { afterMs, runsBefore, shard, nowMs }) ?? pending;
  await deps.schedule.putEntries([first]);
  await dispatchAhead(first, job, deps);
  return 'repaired';
}

/** Whether the cursor of one of the shards stands before the present, though not for too long. */
async function isScannerBehind(
  shards: readonly number[],
  nowMs: number,
  { schedule }: Pick<StageDeps, 'schedule'>,
): Promise<boolean> {
  const cursors = await schedule.readCursors('scan', [...new Set(shards)]);
  return [...cursors.values()].some(({ minute }) => {
    const behindMs = nowMs - minuteStartMs(minute);
    return behindMs >= 0 && behindMs < SCANNER_RETURNS_WITHIN_MS;
  });
}

/** The last due time through an instant with a record, or when the job as it is now began. */
async function lastCoveredMs(job: Job, throughMs: number, deps: StageDeps): Promise<number> {
  const newest = await newestRowThrough(jobKeyOf(job), throughMs, deps, wasDecided);
  return Math.max(plannedSinceMs(job), newest ? coveredThroughMs(newest) : 0);
}

/**
 * A user may cancel an occurrence ahead of its time: such a row does not prove that earlier ones were
 * decided.
 */
const wasDecided = ({ fence, status }: Execution): boolean => fence > 0 || status !== 'cancelled';

/**
 * Whether an entry of the same bucket and revision is written under any of the shards, whatever its first
 * occurrence.
 */
export async function hasPendingEntry(
  entry: OccurrenceEntry,
  shards: readonly number[],
  deps: Pick<StageDeps, 'schedule'>,
): Promise<boolean> {
  for (const shard of new Set(shards)) {
    if (await deps.schedule.hasEntryOfSeries({ ...entry, shard })) return true;
  }
  return false;
}
