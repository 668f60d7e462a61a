import { jobKeyOf } from '../core/contracts/tables';
import { rowsBetween } from '../core/dispatch/accounted';
import { skippedRow } from '../core/dispatch/dispatch';
import { scheduleOf } from '../core/dispatch/entries';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { stretch } from '../core/domain/misfire';
import type { ApiDeps } from './request';

/**
 * Puts what a paused job did not run into its history, before it ceases to be that paused job: one row for
 * all planned occurrences since the pause, or several around those that have a row of their own (their
 * messages were on the way). Written again with a later end it replaces itself.
 */
export async function recordPausedStretch(job: Job, untilMs: number, deps: ApiDeps): Promise<void> {
  if (job.status !== 'paused' || job.pausedAtMs === undefined) return;
  const schedule = scheduleOf(job);
  const jobKey = jobKeyOf(job);
  const afterMs = Math.max(job.pausedAtMs, job.scheduleChangedAtMs);
  const rows = await rowsBetween(jobKey, afterMs + 1, untilMs, deps);
  const ownRows = rows.filter((row) => !isOwnStretch(row)).map(({ dueAtMs }) => dueAtMs);
  let fromMs = afterMs;
  for (const endMs of [...ownRows, untilMs + 1]) {
    const firstMs = schedule.next(fromMs);
    if (firstMs !== undefined && firstMs < endMs) {
      await deps.executions.putSkipped(
        skippedRow(jobKey, stretch(schedule, firstMs, endMs - 1), 'paused', deps),
      );
    }
    fromMs = endMs;
  }
}

/** What an earlier try of the same change has written: it is made longer, not gone around. */
const isOwnStretch = ({ skipped, reason }: Execution): boolean =>
  skipped !== undefined && reason === 'paused';
