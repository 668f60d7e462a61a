import type { OccurrenceEntry } from './entry';
import { scheduleOf } from './entry-planning';
import type { Reason } from './reason';
import { isPausedAt, type Job, plansSinceMs } from './job';
import { graceMsOf } from './misfire';
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
const isStillPlanned = (dueAtMs: number, job: Job): boolean =>
  job.status === 'active' &&
  dueAtMs <= (job.replannedAtMs ?? 0) &&
  dueAtMs > Math.max(job.activeSinceMs, job.scheduleChangedAtMs) &&
  isPlannedAt(job, scheduleOf(job), dueAtMs);

/**
 * A paused job had missed before its pause what was due before this, and has not run. Such an occurrence was
 * late to the misfire policy when the pause came.
 */
export function missedBeforeMs(job: Pick<Job, 'status' | 'pausedAtMs' | 'misfire'>): number {
  const { status, pausedAtMs = Number.NEGATIVE_INFINITY } = job;
  return status === 'paused' ? pausedAtMs - graceMsOf(job, true) : Number.NEGATIVE_INFINITY;
}

/** Why a job that is paused, or not planned as before, has not run what was due. */
export const reasonNotRun = (
  dueAtMs: number,
  job: Pick<Job, 'status' | 'pausedAtMs' | 'misfire'>,
): 'misfire' | 'paused' | 'superseded' => {
  if (dueAtMs < missedBeforeMs(job)) return 'misfire';
  return job.status === 'paused' ? 'paused' : 'superseded';
};

/**
 * What becomes of an unclaimed occurrence of an entry that is not current:
 * - `skipped`: it is recorded as skipped. It fell due before the change and did not run. Or it is no longer
 *   planned, but a message may be out, whose claim the record refuses;
 * - `replanned`: it fell due before the job was replanned for a calendar, and gets an entry of that revision;
 * - `planned`: the present series covers it, once it gets there. Until then a claim may come by an earlier
 *   message, so this entry stays;
 * - `unsent`: no message of it can be out.
 */
export type OutdatedOccurrence =
  | { is: 'skipped'; reason: Reason }
  | { is: 'replanned' | 'planned' | 'unsent' };

export function outdatedOccurrence(
  dueAtMs: number,
  job: Job | undefined,
  { horizonMs }: { horizonMs: number },
): OutdatedOccurrence {
  if (!job) return { is: 'skipped', reason: 'deleted' };
  const changedAtMs = plansSinceMs(job);
  const skipped = { is: 'skipped', reason: reasonNotRun(dueAtMs, job) } as const;
  if (isStillPlanned(dueAtMs, job)) return { is: 'replanned' };
  if (dueAtMs <= changedAtMs) return skipped;
  if (!mayHaveBeenSent(dueAtMs, changedAtMs, horizonMs)) return { is: 'unsent' };
  return isPausedAt(job, dueAtMs) || !isPlannedAt(job, scheduleOf(job), dueAtMs)
    ? skipped
    : { is: 'planned' };
}
