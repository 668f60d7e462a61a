import type { SkipDetail } from '../domain/execution';
import type { Job } from '../domain/job';

/** Who paused the job; undefined if its last change was no pause. */
export function detailOfPause(job: Job | undefined): SkipDetail | undefined {
  if (job?.status !== 'paused' || job.lastChange?.what !== 'paused' || !job.by) return undefined;
  return { by: job.by, ...(job.note !== undefined && { note: job.note }) };
}
