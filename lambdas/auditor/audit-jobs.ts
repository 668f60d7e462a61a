import type { TimeBudget } from '../core/async/time-budget';
import { Metric } from '../core/contracts/metrics';
import type { QuotaLimits } from '../core/contracts/quotas';
import { ensurePendingEntry } from '../core/dispatch/first-entry';
import { backlogs, type BacklogOf } from '../core/queue/backlogs';
import type { StageDeps } from '../core/deps';
import type { Job } from '../core/domain/job';
import type { JobSlice } from '../core/store/job-store';
import { isRetryable } from '../core/is-retryable';
import { repairHistory } from './audit-history';
import type { UsageStore } from '../core/store/usage-store';
import { type Counting, usageCounter } from './count-usage';

export interface AuditorDeps extends StageDeps {
  usage: UsageStore;
  quotaLimits: QuotaLimits;
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
/** A slice that has been begun is left with less than this. */
const JOB_MARGIN_MS = 10_000;

/**
 * A slow, cheap pass over all jobs, in slices: finds an active job without a future entry, or without a record of what
 * fell due, repairs it by the scanner's step and says so; and counts what each user has, for the quotas. On a schedule of
 * its own: the one who checks is not the one who failed.
 */
export async function auditJobs(deps: AuditorDeps, limits: TimeBudget): Promise<AuditResult> {
  const result: AuditResult = { jobs: 0, repaired: 0, held: 0, complete: false };
  const { cursor: from, counting } = bookmarkOf(await deps.schedule.readBookmark(BOOKMARK));
  let cursor = from;
  const leaveAt = (place: string | undefined, at?: Counting) =>
    deps.schedule.writeBookmark(BOOKMARK, place && JSON.stringify({ cursor: place, counting: at }));
  const { history } = await deps.schedule.readShards();
  const backlogOf = backlogs(deps.queue);
  const counter = usageCounter(counting, deps.quotaLimits, {
    usage: deps.usage,
    nowMs: () => deps.clock.nowMs(),
  });
  while (limits.remainingMs() > MARGIN_MS) {
    const page = await deps.jobs.scan({ cursor, limit: PAGE_LIMIT });
    for (const found of inOrder(page)) {
      // A user who was just corrected must not be again, should the slice come to no end.
      if (await counter.goTo(found.userId)) await leaveAt(cursor);
      if ('usage' in found) {
        counter.stored(found.usage);
        continue;
      }
      const { job } = found;
      if (result.jobs > 0 && limits.remainingMs() < JOB_MARGIN_MS) {
        await leaveAt(cursor, counter.counting);
        return result;
      }
      result.jobs += 1;
      try {
        counter.job(job);
        const { repairs, held } = await repair(job, { history, backlogOf }, deps);
        result.repaired += repairs;
        if (held) result.held += 1;
      } catch (error) {
        if (isRetryable(error)) throw error;
        deps.log.error('job could not be audited', error, { userId: job.userId, jobId: job.jobId });
      }
      cursor = deps.jobs.cursorAt(job);
    }
    cursor = page.nextCursor;
    if (cursor === undefined) await counter.finish();
    await leaveAt(cursor, counter.counting);
    if (cursor === undefined) return { ...result, complete: true };
  }
  return result;
}

/** @returns how many repairs it took, and whether its chain stands still because the deployment is stopped */
async function repair(
  job: Job,
  { history, backlogOf }: { history: readonly number[]; backlogOf: BacklogOf },
  deps: AuditorDeps,
): Promise<{ repairs: number; held: boolean }> {
  if (job.status !== 'active') return { repairs: 0, held: false };
  const { userId, jobId } = job;
  let repairs = 0;
  const head = await ensurePendingEntry(job, history, deps);
  if (head === 'repaired') {
    repairs += 1;
    deps.meter.count(Metric.didNotRun);
    deps.log.warn('active job had no future entry', { userId, jobId });
  }
  const missed = await repairHistory(job, backlogOf, deps);
  if (missed > 0) {
    repairs += 1;
    deps.meter.count(Metric.didNotRun, missed);
    deps.log.warn('what fell due had no end', { userId, jobId, missed });
  }
  return { repairs, held: head === 'missing' };
}

/** Jobs and rows of usage as they lie in the table. */
function* inOrder({
  jobs,
  usages,
}: JobSlice): Generator<{ userId: string; job: Job } | JobSlice['usages'][number]> {
  for (let index = 0; index <= jobs.length; index++) {
    yield* usages.filter(({ jobsBefore }) => jobsBefore === index);
    const job = jobs[index];
    if (job) yield { userId: job.userId, job };
  }
}

/** Where the last slice left off. A bookmark of a time when nothing was counted is a cursor alone: a list. */
function bookmarkOf(bookmark: string | undefined): { cursor?: string; counting?: Counting } {
  if (bookmark === undefined) return {};
  const place: unknown = JSON.parse(bookmark);
  return Array.isArray(place) ? { cursor: bookmark } : (place as { cursor: string; counting?: Counting });
}
