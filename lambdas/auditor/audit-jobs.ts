import { Metric } from '../core/contracts/metrics';
import { makeSureOfHead } from '../core/dispatch/chain-head';
import { backlogs } from '../core/dispatch/backlogs';
import type { DispatchDeps } from '../core/dispatch/deps';
import { isTransient } from '../core/store/transient';
import { repairHistory } from './audit-history';

export interface AuditLimits {
  /** Milliseconds that this invocation may still run. */
  remainingMs(): number;
}

export interface AuditResult {
  jobs: number;
  repaired: number;
  /** Jobs whose chains stand still because the deployment is stopped. */
  held: number;
  /** Whether the pass reached the end of the table; the next one then starts again. */
  complete: boolean;
}

const BOOKMARK = 'audit';
const PAGE_LIMIT = 100;
const MARGIN_MS = 20_000;

/**
 * A slow, cheap pass over all jobs, in slices: finds an active job without a future entry, or without a record of what
 * fell due, repairs it by the scanner's step and says so. On a schedule of its own: the one who checks is not the one who failed.
 */
export async function auditJobs(deps: DispatchDeps, limits: AuditLimits): Promise<AuditResult> {
  const result: AuditResult = { jobs: 0, repaired: 0, held: 0, complete: false };
  let cursor = await deps.schedule.readBookmark(BOOKMARK);
  const { history } = await deps.schedule.readShards();
  const backlogOf = backlogs(deps.queue);
  while (limits.remainingMs() > MARGIN_MS) {
    const page = await deps.jobs.scan({ cursor, limit: PAGE_LIMIT });
    for (const job of page.jobs) {
      result.jobs += 1;
      if (job.status !== 'active') continue;
      try {
        const head = await makeSureOfHead(job, history, deps);
        if (head === 'missing') result.held += 1;
        if (head === 'repaired') {
          result.repaired += 1;
          deps.meter.count(Metric.didNotRun);
          deps.log.warn('active job had no future entry', { userId: job.userId, jobId: job.jobId });
        }
        const missed = await repairHistory(job, backlogOf, deps);
        if (missed > 0) {
          result.repaired += 1;
          deps.meter.count(Metric.didNotRun, missed);
          deps.log.warn('what fell due had no end', { userId: job.userId, jobId: job.jobId, missed });
        }
      } catch (error) {
        if (isTransient(error)) throw error;
        deps.log.error('job could not be audited', error, { userId: job.userId, jobId: job.jobId });
      }
    }
    cursor = page.nextCursor;
    await deps.schedule.writeBookmark(BOOKMARK, cursor);
    if (cursor === undefined) return { ...result, complete: true };
  }
  return result;
}
