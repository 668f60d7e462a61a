import type { StageDeps } from '../deps';
import type { Job } from '../domain/job';
import { oldestClaimedMs } from '../domain/timing';
import { detailOfPause } from '../ending/skip-detail';
import { recordSkippedRange } from '../ending/skip-ranges';

/**
 * Records what a paused job did not run, before the job is resumed, rescheduled, replanned or deleted. The
 * skipped range covers all planned occurrences since the pause, except those that have a row: their messages
 * were already sent. It goes back no further than the retention, because TTL may have removed older rows.
 */
export async function recordPausedRange(job: Job, untilMs: number, deps: StageDeps): Promise<void> {
  if (job.status !== 'paused' || job.pausedAtMs === undefined) return;
  const oldestMs = oldestClaimedMs(deps.clock.nowMs(), deps.retentionDays);
  const fromMs = Math.max(job.pausedAtMs, job.scheduleChangedAtMs, job.replannedAtMs ?? 0, oldestMs) + 1;
  if (fromMs > untilMs) return;
  const skip = { reason: 'paused', detail: detailOfPause(job) } as const;
  await recordSkippedRange(job, { fromMs, toMs: untilMs }, skip, deps);
}
