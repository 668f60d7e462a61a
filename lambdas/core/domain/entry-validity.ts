import type { OccurrenceEntry } from './entry';
import { scheduleOf } from './entry-planning';
import type { Reason } from './execution';
import { type Job, plannedSinceMs } from './job';
import { isPlannedAt } from './planned-times';
import { mayHaveBeenSent } from './timing';

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
 * Whether an occurrence fell due before the job was replanned for a calendar, and is planned as before. The
 * present series begins later and does not cover it.
 */
export const isStillPlanned = (dueAtMs: number, job: Job): boolean =>
  job.status === 'active' &&
  dueAtMs <= (job.replannedAtMs ?? 0) &&
  dueAtMs > Math.max(job.activeSinceMs, job.scheduleChangedAtMs) &&
  isPlannedAt(job, scheduleOf(job), dueAtMs);

/**
 * Why an unclaimed occurrence of an entry that is not current is recorded as skipped. Undefined: it needs no
 * record.
 *
 * - Through the change, it was planned and did not run.
 * - After the change, it is no longer planned. But a message may be out, whose claim may still be on its way:
 *   a record refuses it. Otherwise the claim would leave an execution that no entry covers.
 * - The job may still plan it. Then its present series covers it.
 */
export function skipReasonOf(
  dueAtMs: number,
  job: Job | undefined,
  { horizonMs }: { horizonMs: number },
): Reason | undefined {
  if (!job) return 'deleted';
  const isPaused = job.status === 'paused';
  const changedAtMs = isPaused ? (job.pausedAtMs ?? job.updatedAtMs) : plannedSinceMs(job);
  const reason = isPaused ? 'paused' : 'superseded';
  if (isStillPlanned(dueAtMs, job)) return undefined;
  if (dueAtMs <= changedAtMs) return reason;
  if (!mayHaveBeenSent(dueAtMs, changedAtMs, horizonMs)) return undefined;
  return isPaused || !isPlannedAt(job, scheduleOf(job), dueAtMs) ? reason : undefined;
}
