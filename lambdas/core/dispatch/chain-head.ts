import { jobKeyOf, minuteOf } from '../contracts/tables';
import { entrySortKey, type OccurrenceEntry } from '../domain/entry';
import type { Job } from '../domain/job';
import { shardOf } from '../domain/shard';
import type { DispatchDeps } from './deps';
import { firstEntry, scheduleOf } from './entries';
import { followChain } from './follow-chain';

/** Sorts after every sort key that begins with what precedes it. */
const AFTER_ALL = '~';

/**
 * Makes sure that an active job with occurrences left has an entry for the next one, under any shard number that was
 * ever in force; where it has none, the chain starts again from now by the scanner's step.
 * Throws where a store or queue gives no answer, and where the schedule cannot be read.
 */
export async function makeSureOfHead(
  job: Job,
  shardCounts: readonly number[],
  deps: DispatchDeps,
): Promise<'whole' | 'repaired'> {
  const jobKey = jobKeyOf(job);
  const shard = shardOf(jobKey, await deps.shards());
  const nowMs = deps.clock.nowMs();
  const head = firstEntry(job, scheduleOf(job), shard, nowMs);
  if (!head) return 'whole';
  for (const place of new Set([shard, ...shardCounts.map((count) => shardOf(jobKey, count))])) {
    if (await hasHead({ ...head, shard: place }, deps)) return 'whole';
  }
  // A change that answered in the meantime has written its own entry: only what is still the same is repaired.
  const current = await deps.jobs.get(job);
  if (current?.revision !== job.revision || current.status !== 'active') return 'whole';
  await deps.schedule.putEntries([head]);
  await followChain(head, job, deps);
  return 'repaired';
}

/** An entry of the same bucket and revision, whichever of the bucket's occurrences it begins with. */
export async function hasHead(head: OccurrenceEntry, deps: Pick<DispatchDeps, 'schedule'>): Promise<boolean> {
  const key = entrySortKey(head);
  const prefix = key.slice(0, key.lastIndexOf('#') + 1);
  const page = await deps.schedule.readBucket({
    minute: minuteOf(head.lookAtMs),
    shard: head.shard,
    after: prefix,
    before: prefix + AFTER_ALL,
    limit: 1,
  });
  return page.entries.length > 0;
}
