import type { OccurrenceEntry } from '../domain/entry';
import type { Job } from '../domain/job';
import { shardOf } from '../domain/shard';
import type { DispatchDeps } from '../deps';
import { hasHead } from './first-entry';
import { entryAfter, runsOfChain, scheduleOf } from '../domain/entry-planning';
import { followChain } from './dispatch-ahead';

/**
 * Makes sure that the chain goes on after `entry`, without touching the occurrences of `entry` itself. Where the next
 * entry is written already, its own looks answer for it and nothing is done: so a repair repeated by many looks
 * re-sends nothing.
 */
export async function makeSureOfNext(entry: OccurrenceEntry, job: Job, deps: DispatchDeps): Promise<void> {
  const next = await missingNext(entry, job, deps);
  if (!next) return;
  await deps.schedule.putEntries([next]);
  await followChain(next, job, deps);
}

/** The entry that ought to follow, where it is written under neither the old nor the present shard. */
export async function missingNext(
  entry: OccurrenceEntry,
  job: Job,
  deps: DispatchDeps,
): Promise<OccurrenceEntry | undefined> {
  if (entry.catchUp) return undefined;
  const schedule = scheduleOf(job);
  const shard = shardOf(entry.jobKey, await deps.shards());
  const nowMs = deps.clock.nowMs();
  const runsBefore = runsOfChain(entry, schedule, entry.throughMs);
  // A next entry written in time was filed at its own last due time, whatever the clock says now.
  const asFiled = entryAfter(job, schedule, { afterMs: entry.throughMs, runsBefore, shard, nowMs: 0 });
  if (!asFiled) return undefined;
  for (const place of new Set([entry.shard, shard])) {
    if (await deps.schedule.hasEntry({ ...asFiled, shard: place })) return undefined;
  }
  // Whoever decided late went on with the first occurrence not yet due: its entry then stands for the chain.
  if (asFiled.lookAtMs <= nowMs) {
    const runsByNow = runsOfChain(entry, schedule, nowMs);
    const head = entryAfter(job, schedule, { afterMs: nowMs, runsBefore: runsByNow, shard, nowMs: 0 });
    for (const place of new Set([entry.shard, shard])) {
      if (head && (await hasHead({ ...head, shard: place }, deps))) return undefined;
    }
  }
  return { ...asFiled, lookAtMs: Math.max(asFiled.lookAtMs, nowMs) };
}
