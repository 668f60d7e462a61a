import type { OccurrenceEntry } from './entry';
import type { Job } from './job';

/**
 * What a job that was read says of one of its entries:
 * `current` – go on; `outdated` – the job has moved on (newer, paused, or another revision of the same generation), so
 * the entry means nothing any more; `unknown` – no job, or one older than the entry: a write under way, left to the
 * second look.
 */
export type EntryValidity = 'current' | 'outdated' | 'unknown';

export function entryValidity(entry: OccurrenceEntry, job: Job | undefined): EntryValidity {
  if (!job || job.generation < entry.generation) return 'unknown';
  const same =
    job.generation === entry.generation && job.revision === entry.revision && job.status === 'active';
  return same ? 'current' : 'outdated';
}
