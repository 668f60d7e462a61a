import { recordSkippedRange } from '../../core/ending/skip-ranges';
import type { Job } from '../../core/domain/job';
import type { ApiDeps } from '../request';

/**
 * Puts what a paused job did not run into its history, before it ceases to be that paused job: all planned occurrences
 * since the pause, around those that have a row of their own (their messages were on the way).
 */
export async function recordPausedRange(job: Job, untilMs: number, deps: ApiDeps): Promise<void> {
  if (job.status !== 'paused' || job.pausedAtMs === undefined) return;
  const fromMs = Math.max(job.pausedAtMs, job.scheduleChangedAtMs) + 1;
  await recordSkippedRange(job, { fromMs, toMs: untilMs }, 'paused', deps);
}
