import type { OccurrenceEntry } from './entry';
import type { Reason } from './execution';
import type { Job } from './job';

/**
 * Whether an entry is still valid, by its job:
 * - `current`: the job is active and of the entry's revision;
 * - `outdated`: the job has changed (newer, paused, or another revision of the same generation);
 * - `unknown`: there is no job, or an older one. A write may be under way, so it is left to the recheck.
 */
type EntryValidity = 'current' | 'outdated' | 'unknown';

export function entryValidity(entry: OccurrenceEntry, job: Job | undefined): EntryValidity {
  if (!job || job.generation < entry.generation) return 'unknown';
  const same =
    job.generation === entry.generation && job.revision === entry.revision && job.status === 'active';
  return same ? 'current' : 'outdated';
}

/**
 * What made an entry of the job outdated. Occurrences due through `changedAtMs` were planned and did not run,
 * for `reason`; later ones are no longer planned.
 */
export function lastChangeOf(job: Job | undefined): { reason: Reason; changedAtMs: number } {
  if (!job) return { reason: 'deleted', changedAtMs: Number.POSITIVE_INFINITY };
  if (job.status === 'paused') return { reason: 'paused', changedAtMs: job.pausedAtMs ?? job.updatedAtMs };
  return { reason: 'superseded', changedAtMs: Math.max(job.activeSinceMs, job.scheduleChangedAtMs) };
}
