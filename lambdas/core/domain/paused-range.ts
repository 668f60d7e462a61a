import type { Job } from './job';
import { oldestClaimedMs } from './timing';

type PausedJob = Pick<Job, 'pausedAtMs' | 'activeSinceMs' | 'scheduleChangedAtMs' | 'replannedAtMs'>;

/**
 * From when on a paused job has not run what it planned. That is no further back than the retention, because
 * TTL may have removed older rows.
 */
export function pausedFromMs(job: PausedJob, nowMs: number, retentionDays: number): number {
  const sinceMs = Math.max(job.pausedAtMs ?? job.activeSinceMs, job.scheduleChangedAtMs);
  const oldestMs = oldestClaimedMs(nowMs, retentionDays);
  return Math.max(sinceMs, job.replannedAtMs ?? 0, oldestMs) + 1;
}
