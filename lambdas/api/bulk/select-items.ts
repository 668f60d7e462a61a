import type { Job } from '../../core/domain/job';
import { inParallel } from '../../core/async/in-parallel';
import type { BulkFilter } from '../../core/http/bulk';
import type { JobFilter } from '../../core/http/query-fields';
import { DAY_MS } from '../../core/clock/clock';
import { compactInstant, jobKeyOf, failureSortOf } from '../../core/contracts/tables';
import { isTerminal } from '../../core/domain/transitions';
import { derivedJobStatus, endOfInstant } from '../jobs/derived-job-status';
import { withSchedule } from '../jobs/job-changes';
import { passesRow } from '../jobs/job-filter';
import type { ApiDeps } from '../request';
import { derivedExecutions } from '../executions/derived-executions';
import { failureWindow, jobReader, passesFailure } from '../executions/failure-filter';

/** A job, or an execution of it, that a bulk acts on. */
export interface BulkItem {
  /** Where the source continues after this item. */
  position: string;
  /** As it was when the source read it. */
  job: Job;
  /** Present if the item is an execution. */
  execId?: string;
}

/** Reads the next items after a position. A chunk may be empty and still have a next one. */
export type ItemSource = (after: string | undefined) => Promise<{ items: BulkItem[]; nextAfter?: string }>;

const JOBS_A_READ = 100;
const PARALLEL_READS = 16;

/** What a bulk is about: fixed when it begins. */
export interface Selection {
  project: string;
  filter: BulkFilter;
  begunAtMs: number;
}

type JobTest = (job: Job) => Promise<boolean>;

/** The filter, as that of a list of jobs. A status of executions is none of jobs. */
const jobFilterOf = ({ status, tag, q, contains, kind, pool, target }: BulkFilter): JobFilter => ({
  status: status === 'failed' || status === 'skipped' ? undefined : status,
  ...{ tag, q, contains, kind, pool, target },
});

/** Tests whether a job passes the filter, and existed when the bulk began. */
export function jobTest({ filter, begunAtMs }: Selection, deps: ApiDeps): JobTest {
  const ofJobs = jobFilterOf(filter);
  return async (job) => {
    if (job.createdAtMs > begunAtMs || !passesRow(job, ofJobs)) return false;
    if (ofJobs.status === undefined) return true;
    const derived = await derivedJobStatus(withSchedule(job), { nowMs: deps.clock.nowMs(), rows: 0 }, deps);
    return derived.status === ofJobs.status;
  };
}

/** The jobs that pass, by jobId. */
export function bulkJobs(selection: Selection, deps: ApiDeps, limit = JOBS_A_READ): ItemSource {
  const passes = jobTest(selection, deps);
  return async (after) => {
    const page = await deps.jobs.list(selection.project, { after, limit });
    const passing = new Set<string>();
    await inParallel(page.jobs, PARALLEL_READS, async (job) => {
      if (await passes(job)) passing.add(job.jobId);
    });
    return {
      items: page.jobs.filter(({ jobId }) => passing.has(jobId)).map((job) => ({ position: job.jobId, job })),
      nextAfter: page.nextAfter,
    };
  };
}

const DEFAULT_WINDOW_MS = 7 * DAY_MS;
const LIVE_JOBS_A_READ = 20;
const LIVE_ROWS_A_READ = 500;

/** execIds, both inclusive. */
interface Range {
  from: string;
  to: string;
}

/**
 * The executions that wait or run, of all jobs that pass: by job, then by due time. A position is a jobId, or
 * `jobId/execId` inside a job. The next occurrence of a job is not due, and so not among them.
 */
export function bulkLive(selection: Selection, deps: ApiDeps): ItemSource {
  const { project, filter, begunAtMs } = selection;
  const jobsAfter = bulkJobs(selection, deps, LIVE_JOBS_A_READ);
  const passes = jobTest(selection, deps);
  const beforeMs = Math.min(filter.to ?? begunAtMs + 1, begunAtMs + 1);
  const range: Range = {
    from: compactInstant(filter.from ?? begunAtMs - DEFAULT_WINDOW_MS),
    to: endOfInstant(beforeMs - 1),
  };
  return async (after) => {
    const [jobId, execId] = after?.split('/') ?? [];
    if (jobId !== undefined && execId !== undefined) {
      const job = await deps.jobs.get({ userId: project, jobId });
      if (!job || !(await passes(job))) return { items: [], nextAfter: jobId };
      const { items, readThrough } = await liveOf(job, execId, range, deps);
      return { items, nextAfter: readThrough ?? jobId };
    }
    const chunk = await jobsAfter(jobId);
    const found = new Map<string, LiveRead>();
    await inParallel(chunk.items, LIVE_JOBS_A_READ, async ({ job }) => {
      found.set(job.jobId, await liveOf(job, undefined, range, deps));
    });
    const items: BulkItem[] = [];
    for (const { job } of chunk.items) {
      const live = found.get(job.jobId)!;
      items.push(...live.items);
      if (live.readThrough !== undefined) return { items, nextAfter: live.readThrough };
    }
    return { items, nextAfter: chunk.nextAfter };
  };
}

interface LiveRead {
  items: BulkItem[];
  /** Position of the last row that was read, if the job has more. */
  readThrough?: string;
}

/** Those of one job after `afterExecId`: its rows, and occurrences that are due and have none. */
async function liveOf(
  job: Job,
  afterExecId: string | undefined,
  { from, to }: Range,
  deps: ApiDeps,
): Promise<LiveRead> {
  if (from > to) return { items: [] };
  const page = await deps.executions.list(jobKeyOf(job), {
    order: 'asc',
    after: afterExecId,
    fromExecId: from,
    toExecId: to,
    limit: LIVE_ROWS_A_READ,
  });
  const execIds = page.executions
    .filter(({ status, cancelRequested }) => !isTerminal(status) && !cancelRequested)
    .map(({ execId }) => execId);
  if (page.nextAfter === undefined && job.status === 'active')
    for (const { status, execId } of await derivedExecutions(job, deps))
      if (status === 'queued' && execId >= from && execId <= to && execId > (afterExecId ?? ''))
        execIds.push(execId);
  const positionOf = (execId: string) => `${job.jobId}/${execId}`;
  return {
    items: execIds.toSorted().map((execId) => ({ position: positionOf(execId), job, execId })),
    ...(page.nextAfter !== undefined && { readThrough: positionOf(page.nextAfter) }),
  };
}

const FAILURES_A_READ = 100;

/**
 * The failures of the inbox that pass, in ascending order of due time; only `failed` ones unless the filter
 * names `skipped`. Those that ended after the bulk began, and those of deleted jobs, are left out.
 */
export function bulkFailures(selection: Selection, deps: ApiDeps): ItemSource {
  const { project, filter, begunAtMs } = selection;
  const window = failureWindow(filter, begunAtMs, deps);
  const { host, fingerprint, blocksKey } = filter;
  const status = filter.status === 'skipped' ? 'skipped' : 'failed';
  const ofRows = { status, view: 'inbox', host, fingerprint, blocksKey } as const;
  const jobsOf = jobReader(deps);
  const passesJob = jobTest(selection, deps);
  return async (after) => {
    if (window.fromMs >= window.toMs) return { items: [] };
    const page = await deps.executions.listFailures(project, {
      ...window,
      order: 'asc',
      after,
      limit: FAILURES_A_READ,
    });
    const rows = page.executions.filter(
      (row) => passesFailure(row, ofRows, begunAtMs) && (row.finishedAtMs ?? 0) <= begunAtMs,
    );
    const jobs = await jobsOf(rows);
    const passing = new Set<string>();
    for (const jobKey of new Set(rows.map((row) => row.jobKey))) {
      const job = jobs.get(jobKey);
      if (job && (await passesJob(job))) passing.add(jobKey);
    }
    return {
      items: rows
        .filter(({ jobKey }) => passing.has(jobKey))
        .map((row) => ({
          position: failureSortOf(row),
          job: jobs.get(row.jobKey)!,
          execId: row.execId,
        })),
      nextAfter: page.nextAfter,
    };
  };
}
