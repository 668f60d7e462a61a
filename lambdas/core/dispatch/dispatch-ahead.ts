import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { OccurrenceEntry } from '../domain/entry';
import type { Job } from '../domain/job';
import { planEntryAndNext } from '../domain/plan-entry';
import { mayBeScanned } from '../domain/timing';
import { dispatch } from './dispatch';

/**
 * Dispatches an entry that was just written, then each next entry, up to the first in a bucket that no
 * scanner can have passed yet. Does nothing if the first entry is in such a bucket.
 *
 * Throws if a store or queue fails, and the reason if an entry cannot be planned.
 */
export async function dispatchAhead(first: OccurrenceEntry, job: Job, deps: StageDeps): Promise<void> {
  let entry: OccurrenceEntry | undefined = first;
  while (entry && mayBeScanned(entry.checkAtMs, deps.clock.nowMs(), deps.horizonMs)) {
    const current: OccurrenceEntry = entry;
    const { next, refused } = await dispatch([{ entry: current, job, plan: planEntryAndNext }], deps);
    if (refused.has(current)) throw refused.get(current);
    entry = next.get(current);
  }
}

/**
 * Dispatches an entry that was just written, as its job was. A failure only makes the first occurrences late:
 * the sweeper's recheck dispatches them.
 */
export async function dispatchFirst(entry: OccurrenceEntry, job: Job, deps: StageDeps): Promise<void> {
  try {
    await dispatchAhead(entry, job, deps);
  } catch (error) {
    deps.log.error('first occurrences are left to the recheck', error, { job: jobKeyOf(job) });
  }
}
