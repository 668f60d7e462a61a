import { ensureExpectation } from '../core/alerts/expectations';
import { MINUTE_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import { ensurePendingEntry } from '../core/dispatch/first-entry';
import type { Job } from '../core/domain/job';
import { ensureResumed } from '../core/job-writes/resume-paused';
import type { BacklogOf } from '../core/queue/backlogs';
import { CHECKS_ALL_MS, isCheckDue } from './check-due';
import { repairHistory } from './repair-history';

/** What one pass reads once, for all jobs. */
export interface PassContext {
  /** Every shard count that was ever active. */
  shardCounts: readonly number[];
  backlogOf: BacklogOf;
  /** When maintenance mode last ended; undefined: never, or it has not ended. */
  startedAtMs: () => Promise<number | undefined>;
}

/** After maintenance mode, the sweeper continues all series within this. */
const SERIES_RECOVERED_AFTER_MS = 3 * MINUTE_MS;
/** And rechecks bring up within this what was due meanwhile, even if they had become rare. */
const HISTORY_RECOVERED_AFTER_MS = 30 * MINUTE_MS;

/**
 * Repairs an active job without a pending entry or without the entry of its `expectEvery`, and a job's
 * unfinished history. Resumes a job whose pause should have ended. Each is reported, because no stage should
 * have left it so. What waits for the end of maintenance mode is not lost. So nothing is repaired in that
 * mode, and no history for half an hour after it. Throws if a store or queue fails, and if the job's schedule
 * cannot be read.
 *
 * @returns how many repairs it took, and whether its series pauses for maintenance mode
 */
export async function repairJob(
  job: Job,
  { shardCounts, backlogOf, startedAtMs }: PassContext,
  deps: StageDeps,
): Promise<{ repairs: number; inMaintenance: boolean }> {
  const sinceStartMs = deps.clock.nowMs() - ((await startedAtMs()) ?? Number.NEGATIVE_INFINITY);
  const { userId, jobId } = job;
  let repairs = 0;
  const mayRepairSeries = job.status === 'active' && sinceStartMs >= SERIES_RECOVERED_AFTER_MS;
  const isChecked =
    mayRepairSeries &&
    (sinceStartMs < CHECKS_ALL_MS || (await deps.inMaintenance()) || isCheckDue(job, deps.clock.nowMs()));
  const pendingEntry = isChecked ? await ensurePendingEntry(job, shardCounts, deps) : 'present';
  if (pendingEntry === 'repaired') {
    repairs += 1;
    deps.meter.count(Metric.didNotRun);
    deps.log.warn('active job had no future entry', { userId, jobId });
  }
  if (mayRepairSeries && (await ensureExpectation(job, shardCounts, deps)) === 'repaired') {
    repairs += 1;
    deps.log.warn('active job had no entry of its expectEvery', { userId, jobId });
  }
  const mayRepairHistory = sinceStartMs >= HISTORY_RECOVERED_AFTER_MS && !(await deps.inMaintenance());
  if (mayRepairHistory && (await ensureResumed(job, deps)) === 'repaired') {
    deps.log.warn('paused job was not resumed in time', { userId, jobId });
    return { repairs: 1, inMaintenance: false };
  }
  const missed = mayRepairHistory ? await repairHistory(job, backlogOf, deps) : 0;
  if (missed > 0) {
    repairs += 1;
    deps.meter.count(Metric.didNotRun, missed);
    deps.log.warn('what fell due had no end', { userId, jobId, missed });
  }
  return { repairs, inMaintenance: pendingEntry === 'missing' };
}
