import type { OccurrenceEntry } from '../domain/entry';
import type { Job } from '../domain/job';
import { shardOf } from '../domain/shard';
import type { StageDeps } from '../deps';
import { hasPendingEntry } from './first-entry';
import { entryAfter, runsThroughEntry, scheduleOf } from '../domain/entry-planning';
import { dispatchAhead } from './dispatch-ahead';

/**
 * Makes sure that the chain goes on after `entry`, without touching the occurrences of `entry` itself. Where the next
 * entry is written already, its own looks answer for it and nothing is done: so a repair repeated by many looks
 * re-sends nothing.
 */
export async function ensureNextEntry(entry: OccurrenceEntry, job: Job, deps: StageDeps): Promise<void> {
  const next = await missingNextEntry(entry, job, deps);
  if (!next) return;
  await deps.schedule.putEntries([next]);
  await dispatchAhead(next, job, deps);
}

/** The entry that ought to follow, where it is written under neither the old nor the present shard. */
export async function missingNextEntry(
  entry: OccurrenceEntry,
  job: Job,
  deps: StageDeps,
): Promise<OccurrenceEntry | undefined> {
  if (entry.catchUp) return undefined;
  const schedule = scheduleOf(job);
  const shard = shardOf(entry.jobKey, await deps.shardCount());
  const nowMs = deps.clock.nowMs();
  const runsBefore = runsThroughEntry(entry, schedule, entry.throughMs);
  // A next entry written in time was filed at its own last due time, whatever the clock says now.
  const asFiled = entryAfter(job, schedule, { afterMs: entry.throughMs, runsBefore, shard, nowMs: 0 });
  if (!asFiled) return undefined;
  for (const place of new Set([entry.shard, shard])) {
    if (await deps.schedule.hasEntry({ ...asFiled, shard: place })) return undefined;
  }
  // Whoever decided late went on with the first occurrence not yet due: its entry then stands for the chain.
  if (asFiled.checkAtMs <= nowMs) {
    const runsByNow = runsThroughEntry(entry, schedule, nowMs);
    const head = entryAfter(job, schedule, { afterMs: nowMs, runsBefore: runsByNow, shard, nowMs: 0 });
    for (const place of new Set([entry.shard, shard])) {
      if (head && (await hasPendingEntry({ ...head, shard: place }, deps))) return undefined;
    }
  }
  return { ...asFiled, checkAtMs: Math.max(asFiled.checkAtMs, nowMs) };
}
