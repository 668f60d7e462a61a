import type { StageDeps } from '../deps';
import { detailOfPause, type Job } from '../domain/job';
import { pausedFromMs } from '../domain/paused-range';
import { recordSkippedRange } from '../ending/skip-ranges';

/**
 * Records what a paused job did not run, before the job is resumed, rescheduled, replanned or deleted. The
 * skipped range covers all planned occurrences since the pause, except those that have a row: their messages
 * were already sent.
 *
 * Reads the job once more, as the process may have frozen between the read of `job` and that of the clock.
 * Records nothing if the job has changed: the write that follows fails then.
 */
export async function recordPausedRange(job: Job, untilMs: number, deps: StageDeps): Promise<void> {
  if (job.status !== 'paused' || job.pausedAtMs === undefined) return;
  const fromMs = pausedFromMs(job, deps.clock.nowMs(), deps.retentionDays);
  if (fromMs > untilMs) return;
  const now = await deps.jobs.get(job);
  if (now?.etag !== job.etag) return;
  const skip = { reason: 'paused', detail: detailOfPause(job) } as const;
  await recordSkippedRange(job, { fromMs, toMs: untilMs }, skip, deps);
}
