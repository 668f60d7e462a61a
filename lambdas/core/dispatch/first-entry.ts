import { jobKeyOf, minuteOf } from '../contracts/tables';
import { entrySortKey, type OccurrenceEntry } from '../domain/entry';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { shardOf } from '../domain/shard';
import { newestRowThrough } from '../history/coverage';
import type { StageDeps } from '../deps';
import { entryAfter, firstEntry, runsThrough, scheduleOf } from '../domain/entry-planning';
import { dispatchAhead } from './dispatch-ahead';

/** Sorts after every sort key that begins with what precedes it. */
const AFTER_ALL = '~';

/**
 * Makes sure that an active job with occurrences left has an entry for the next one, under any shard number that was
 * ever in force; where it has none, the chain starts again by the scanner's step, from the last
 * occurrence that has a record: what fell due since is decided by the misfire policy.
 * While the deployment is stopped it only says what is missing: that is what a stop looks like.
 * Throws where a store or queue gives no answer, and where the schedule cannot be read.
 */
export async function ensurePendingEntry(
  job: Job,
  shardCounts: readonly number[],
  deps: StageDeps,
): Promise<'whole' | 'repaired' | 'missing'> {
  const jobKey = jobKeyOf(job);
  const shard = shardOf(jobKey, await deps.shardCount());
  const nowMs = deps.clock.nowMs();
  const schedule = scheduleOf(job);
  const head = firstEntry(job, schedule, shard, nowMs);
  if (!head) return 'whole';
  for (const place of new Set([shard, ...shardCounts.map((count) => shardOf(jobKey, count))])) {
    if (await hasPendingEntry({ ...head, shard: place }, deps)) return 'whole';
  }
  if (await deps.inMaintenance()) return 'missing';
  // A change that answered in the meantime has written its own entry: only what is still the same is repaired.
  const current = await deps.jobs.get(job);
  if (current?.revision !== job.revision || current.status !== 'active') return 'whole';
  const restart = await lastCoveredMs(job, nowMs, deps);
  const runsBefore = runsThrough(job, schedule, restart);
  const first = entryAfter(job, schedule, { afterMs: restart, runsBefore, shard, nowMs }) ?? head;
  await deps.schedule.putEntries([first]);
  await dispatchAhead(first, job, deps);
  return 'repaired';
}

/** The due time of the newest occurrence with a record, or when the job as it is now began. */
async function lastCoveredMs(job: Job, nowMs: number, deps: StageDeps): Promise<number> {
  const newest = await newestRowThrough(jobKeyOf(job), nowMs, deps, wasDecided);
  return Math.max(job.activeSinceMs, job.scheduleChangedAtMs, newest?.skipped?.toMs ?? newest?.dueAtMs ?? 0);
}

/** A user's cancel may be written ahead of its time, by whatever the chain had come to. */
const wasDecided = ({ fence, status }: Execution): boolean => fence > 0 || status !== 'cancelled';

/** An entry of the same bucket and revision, whichever of the bucket's occurrences it begins with. */
export async function hasPendingEntry(
  head: OccurrenceEntry,
  deps: Pick<StageDeps, 'schedule'>,
): Promise<boolean> {
  const key = entrySortKey(head);
  const prefix = key.slice(0, key.lastIndexOf('#') + 1);
  const page = await deps.schedule.readBucket({
    minute: minuteOf(head.checkAtMs),
    shard: head.shard,
    after: prefix,
    before: prefix + AFTER_ALL,
    limit: 1,
  });
  return page.entries.length > 0;
}
