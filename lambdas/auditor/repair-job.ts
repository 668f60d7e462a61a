import { MINUTE_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import { ensurePendingEntry } from '../core/dispatch/first-entry';
import type { Job } from '../core/domain/job';
import type { BacklogOf } from '../core/queue/backlogs';
import { repairHistory } from './repair-history';

/** What one pass reads once, for all jobs. */
interface PassContext {
  /** Every shard count that was ever active. */
  shardCounts: readonly number[];
  backlogOf: BacklogOf;
  /** When maintenance mode last ended; undefined: never, or it has not ended. */
  startedAtMs: () => Promise<number | undefined>;
}

/** After maintenance mode, rechecks bring up within this what was due meanwhile. */
const RECOVERED_AFTER_MS = 30 * MINUTE_MS;

/**
 * Repairs an active job without a pending entry, and a job's unfinished history. Each is reported, because no
 * stage should have left it so. In maintenance mode, and for half an hour after it, nothing is repaired: what
 * waits for its end is not lost.
 * Throws if a store or queue fails, and if the job's schedule cannot be read.
 *
 * @returns how many repairs it took, and whether its series pauses for maintenance mode
 */
export async function repairJob(
  job: Job,
  { shardCounts, backlogOf, startedAtMs }: PassContext,
  deps: StageDeps,
): Promise<{ repairs: number; inMaintenance: boolean }> {
  const recoversUntilMs = ((await startedAtMs()) ?? Number.NEGATIVE_INFINITY) + RECOVERED_AFTER_MS;
  if (deps.clock.nowMs() < recoversUntilMs) return { repairs: 0, inMaintenance: false };
  const { userId, jobId } = job;
  let repairs = 0;
  const pendingEntry =
    job.status === 'active' ? await ensurePendingEntry(job, shardCounts, deps) : ('present' as const);
  if (pendingEntry === 'repaired') {
    repairs += 1;
    deps.meter.count(Metric.didNotRun);
    deps.log.warn('active job had no future entry', { userId, jobId });
  }
  const missed = (await deps.inMaintenance()) ? 0 : await repairHistory(job, backlogOf, deps);
  if (missed > 0) {
    repairs += 1;
    deps.meter.count(Metric.didNotRun, missed);
    deps.log.warn('what fell due had no end', { userId, jobId, missed });
  }
  return { repairs, inMaintenance: pendingEntry === 'missing' };
}
