import type { OccurrenceEntry } from '../domain/entry';
import type { Job } from '../domain/job';
import { mayBeScanned } from '../domain/timing';
import type { StageDeps } from '../deps';
import { dispatch } from './dispatch';

/**
 * Does the scanner's step for an entry that was just written, then for the one that follows, until one lies in a
 * bucket that no scanner can have passed yet. Does nothing where the first one lies there already.
 * Throws what planning an entry throws, and where a store or queue gives no answer.
 */
export async function dispatchAhead(first: OccurrenceEntry, job: Job, deps: StageDeps): Promise<void> {
  let entry: OccurrenceEntry | undefined = first;
  while (entry && mayBeScanned(entry.checkAtMs, deps.clock.nowMs(), deps.horizonMs)) {
    const current: OccurrenceEntry = entry;
    const { next, refused } = await dispatch([{ entry: current, job }], deps);
    if (refused.has(current)) throw refused.get(current);
    entry = next.get(current);
  }
}
