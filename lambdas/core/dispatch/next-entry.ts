import type { StageDeps } from '../deps';
import type { OccurrenceEntry } from '../domain/entry';
import { entryAfter, type JobOfEntry, runsThroughEntry, scheduleOf } from '../domain/entry-planning';
import { entryValidity } from '../domain/entry-validity';
import type { Job } from '../domain/job';
import { planEntryAndNext, planEntryOnly, type PlanEntry } from '../domain/plan-entry';
import { shardOf } from '../domain/shard';
import { dispatchAhead } from './dispatch-ahead';
import { hasPendingEntry } from './first-entry';

type Reads = Pick<StageDeps, 'schedule' | 'clock' | 'shardCount'>;

/**
 * Makes sure that the series continues after `entry`, without touching the occurrences of `entry` itself. If
 * the next entry is already written, its own rechecks cover it and nothing is done. So repeated repairs send
 * nothing again. Only a current entry has a next one: the series of another revision is not continued.
 */
export async function ensureNextEntry(entry: OccurrenceEntry, job: Job, deps: StageDeps): Promise<void> {
  if (entryValidity(entry, job) !== 'current') return;
  const next = await missingNextEntry(entry, job, deps);
  if (!next) return;
  await deps.schedule.putEntries([next]);
  await dispatchAhead(next, job, deps);
}

/**
 * How to plan an entry found late: another stage may have decided it, and has then written the next entry.
 */
export const planForLate = async (entry: OccurrenceEntry, job: Job, deps: Reads): Promise<PlanEntry> =>
  (await missingNextEntry(entry, job, deps)) ? planEntryAndNext : planEntryOnly;

/**
 * The entry that follows, if it is written neither under the entry's shard nor under the job's present one.
 *
 * @param job of the entry's revision
 */
export async function missingNextEntry(
  entry: OccurrenceEntry,
  job: JobOfEntry,
  deps: Reads,
): Promise<OccurrenceEntry | undefined> {
  if (entry.catchUp) return undefined;
  const schedule = scheduleOf(job);
  const shard = shardOf(entry.jobKey, await deps.shardCount());
  const shards = [entry.shard, shard];
  const nowMs = deps.clock.nowMs();
  const runsBefore = runsThroughEntry(entry, schedule, entry.throughMs);
  // A next entry that was written in time is filed at its own last due time, whatever the time is now.
  const filedInTime = entryAfter(job, schedule, { afterMs: entry.throughMs, runsBefore, shard, nowMs: 0 });
  if (!filedInTime) return undefined;
  for (const one of new Set(shards)) {
    if (await deps.schedule.hasEntry({ ...filedInTime, shard: one })) return undefined;
  }
  // A late decision continues with the first occurrence not yet due: then that one's entry is the next.
  if (filedInTime.checkAtMs <= nowMs) {
    const runsByNow = runsThroughEntry(entry, schedule, nowMs);
    const filedLate = entryAfter(job, schedule, { afterMs: nowMs, runsBefore: runsByNow, shard, nowMs: 0 });
    if (filedLate && (await hasPendingEntry(filedLate, shards, deps))) return undefined;
  }
  return { ...filedInTime, checkAtMs: Math.max(filedInTime.checkAtMs, nowMs) };
}
