import { lazy } from '../core/async/cached';
import type { TimeBudget } from '../core/async/time-budget';
import { Metric } from '../core/contracts/metrics';
import type { QuotaLimits } from '../core/contracts/quotas';
import { isHiddenJob, jobKeyOf } from '../core/contracts/tables';
import type { Job } from '../core/domain/job';
import { LIVE_WAIT_MS } from '../core/domain/timing';
import { FINALLY_WITHIN_MS } from '../core/domain/workflow/progress';
import { isRetryable } from '../core/is-retryable';
import type { ReplanCalendarDeps } from '../core/job-writes/replan-calendar';
import { backlogs } from '../core/queue/backlogs';
import { NO_USAGE } from '../core/quotas/usage';
import { parseDuration } from '../core/schedule/duration';
import type { JobSlice } from '../core/store/job-store';
import type { ScheduleStore } from '../core/store/schedule-store';
import type { UsageStore } from '../core/store/usage-store';
import { type Counting, usageCounter } from './count-usage';
import { usesPruner } from './prune-uses';
import { type PassContext, repairJob } from './repair-job';
import { calendarAudit } from './replan-outdated';

export interface AuditorDeps extends ReplanCalendarDeps {
  usage: UsageStore;
  quotaLimits: QuotaLimits;
}

interface AuditResult {
  jobs: number;
  repaired: number;
  /** Jobs without a pending entry, because the deployment is in maintenance mode. */
  inMaintenance: number;
  /** Whether the pass reached the end of the table. The next invocation then starts another. */
  complete: boolean;
}

const PAGE_LIMIT = 100;
/** No further slice is begun with less time than this. */
const MARGIN_MS = 20_000;
/** A slice that has been begun is left with less time than this. */
const JOB_MARGIN_MS = 10_000;

/**
 * One invocation of a slow, cheap pass over all jobs, in slices. The auditor runs on a schedule of its own,
 * so it does not fail with the stages that it checks. The pass
 *
 * - repairs and reports active jobs without a pending entry, or with an unfinished history;
 * - reports rows that cannot be read, once in each pass;
 * - counts what each user has, runs of workflows included, for the quotas;
 * - removes rows that say of a job what it no longer uses;
 * - corrects the marks of jobs for whose ends others wait.
 * - works off changes of calendars that no request has finished, and tells of calendars that end.
 *
 * Throws if a store or queue fails: the next invocation repeats the slice.
 */
export async function auditJobs(deps: AuditorDeps, budget: TimeBudget): Promise<AuditResult> {
  const result = await continuePass(deps, budget);
  // An alarm counts the samples: an auditor whose invocations all fail has none.
  deps.meter.count(Metric.didNotRun, 0);
  return result;
}

async function continuePass(deps: AuditorDeps, budget: TimeBudget): Promise<AuditResult> {
  const result: AuditResult = { jobs: 0, repaired: 0, inMaintenance: 0, complete: false };
  const bookmark = await readBookmark(deps.schedule);
  let { cursor } = bookmark;
  const leaveHere = (counting?: Counting) => writeBookmark({ cursor, counting }, deps.schedule);
  const { history: shardCounts } = await deps.schedule.readShards();
  const startedAtMs = lazy(async () => (await deps.schedule.listStops(1))[0]?.startedAtMs);
  const context = { shardCounts, backlogOf: backlogs(deps), startedAtMs };
  const counter = usageCounter(bookmark.counting, deps.quotaLimits, {
    usage: deps.usage,
    nowMs: () => deps.clock.nowMs(),
  });
  const pruner = usesPruner(deps);
  const calendars = calendarAudit(deps, () => budget.remainingMs() > MARGIN_MS);
  while (budget.remainingMs() > MARGIN_MS) {
    const slice = await deps.jobs.scan({ cursor, limit: PAGE_LIMIT });
    for (const row of inOrder(slice)) {
      if ('reason' in row) {
        reportUnreadable(row, deps);
        cursor = deps.jobs.cursorAt(row);
        continue;
      }
      if ('pointer' in row) {
        if (await calendars.pointer(row.pointer)) continue;
        await leaveHere(counter.counting);
        return result;
      }
      await pruner.goTo(row.userId);
      if ('kind' in row) {
        pruner.use(row);
        continue;
      }
      // A user who was just corrected must not be corrected again if the rest of the slice fails.
      if (await counter.goTo(row.userId)) await leaveHere();
      if ('usage' in row) {
        counter.stored(row.usage);
        continue;
      }
      const { job } = row;
      if (result.jobs > 0 && budget.remainingMs() < JOB_MARGIN_MS) {
        await leaveHere(counter.counting);
        return result;
      }
      pruner.job(job);
      if (!isHiddenJob(jobKeyOf(job))) {
        result.jobs += 1;
        await auditJob(job, result, { context, calendars, counter, pruner }, deps);
      }
      cursor = deps.jobs.cursorAt(job);
    }
    cursor = slice.nextCursor;
    if (cursor === undefined) await Promise.all([pruner.goTo(undefined), counter.finish()]);
    await leaveHere(counter.counting);
    if (cursor === undefined) return { ...result, complete: true };
  }
  return result;
}

/** One that fails by its own fault is logged: it must not hold up the others. */
async function auditJob(
  job: Job,
  result: AuditResult,
  {
    context,
    calendars,
    counter,
    pruner,
  }: {
    context: PassContext;
    calendars: ReturnType<typeof calendarAudit>;
    counter: ReturnType<typeof usageCounter>;
    pruner: ReturnType<typeof usesPruner>;
  },
  deps: AuditorDeps,
): Promise<void> {
  try {
    counter.job(job);
    if (job.workflow) counter.liveRuns(await deps.runs.countLive(jobKeyOf(job), liveSinceMs(job, deps)));
    await pruner.mark(job);
    if (await calendars.job(job)) return;
    const { repairs, inMaintenance } = await repairJob(job, context, deps);
    result.repaired += repairs;
    if (inMaintenance) result.inMaintenance += 1;
  } catch (error) {
    if (isRetryable(error)) throw error;
    deps.log.error('job could not be audited', error, { userId: job.userId, jobId: job.jobId });
  }
}

/** Since when runs that are under way now were due. */
const liveSinceMs = ({ timeout }: Job, { clock }: AuditorDeps): number =>
  clock.nowMs() - parseDuration(timeout) - FINALLY_WITHIN_MS - LIVE_WAIT_MS;

type UnreadableRow = JobSlice['unreadable'][number];

function reportUnreadable({ userId, jobId, reason }: UnreadableRow, { log, meter }: AuditorDeps): void {
  meter.count(Metric.quarantined);
  log.error('job row cannot be read', new Error(reason), { userId, jobId });
}

type JobRow = { userId: string; job: Job };

/** The rows of a slice in the order of the table. */
function* inOrder({
  jobs,
  usages,
  uses,
  calendars,
  unreadable,
}: JobSlice): Generator<
  | JobRow
  | JobSlice['usages'][number]
  | JobSlice['uses'][number]
  | JobSlice['calendars'][number]
  | UnreadableRow
> {
  for (let index = 0; index <= jobs.length; index++) {
    yield* calendars.filter(({ jobsBefore }) => jobsBefore === index);
    yield* uses.filter(({ jobsBefore }) => jobsBefore === index);
    yield* usages.filter(({ jobsBefore }) => jobsBefore === index);
    yield* unreadable.filter(({ jobsBefore }) => jobsBefore === index);
    const job = jobs[index];
    if (job) yield { userId: job.userId, job };
  }
}

const NAME = 'audit';

/** Where the pass continues, and the user whose jobs it was counting there. Empty at the start of a pass. */
interface Bookmark {
  cursor?: string;
  counting?: Counting;
}

async function readBookmark(schedule: Pick<ScheduleStore, 'readBookmark'>): Promise<Bookmark> {
  const text = await schedule.readBookmark(NAME);
  const { cursor, counting }: Bookmark = text === undefined ? {} : (JSON.parse(text) as Bookmark);
  return { cursor, counting: counting && withEveryCount(counting) };
}

/** In an update, the version before may have written it. A quota that it did not know counts from 0. */
const withEveryCount = ({ userId, stored, counted }: Counting): Counting => ({
  userId,
  stored: { ...NO_USAGE, ...stored },
  counted: { ...NO_USAGE, ...counted },
});

/** Without a cursor the next pass starts at the beginning of the table. */
const writeBookmark = (
  { cursor, counting }: Bookmark,
  schedule: Pick<ScheduleStore, 'writeBookmark'>,
): Promise<void> =>
  schedule.writeBookmark(NAME, cursor === undefined ? undefined : JSON.stringify({ cursor, counting }));
