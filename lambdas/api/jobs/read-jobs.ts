import { inParallel } from '../../core/async/in-parallel';
import { ListJobsQuery } from '../../core/http/queries';
import type { JobView } from '../../core/http/openapi/answers';
import type { JobSummary, RunSummary } from '../../core/http/openapi/lookup-answers';
import { type Job, targetsOf } from '../../core/domain/job';
import { instantText } from '../../core/clock/clock';
import type { Execution } from '../../core/domain/execution';
import { kindOf } from '../../core/domain/job-kind';
import { addressOf } from '../../core/domain/target';
import { notFound } from '../http/problem';
import { requestedJob, readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { type Filtered, filteredPage, openCursor, pageView } from '../http/paging';
import { withSchedule } from './job-changes';
import { jobResponse, jobView } from './job-view';
import { passesRow } from './job-filter';
import { type DerivedStatus, derivedJobStatus } from './derived-job-status';
import { searchJobs } from './search-jobs';

export async function getJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const job = await deps.jobs.get(requestedJob(request));
  if (!job) throw notFound('job');
  return jobResponse(200, withSchedule(job), deps);
}

interface ListedJob {
  job: Job;
  status: DerivedStatus;
}

/** Jobs of one page whose executions are read. */
const MAX_READ = 500;
const PARALLEL_READS = 32;

/** 200 with a page of the project's jobs, or of their summaries, by jobId. */
export async function listJobs(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListJobsQuery, ['tag']);
  const { fields, history = 0, lastStatus } = query;
  const rows = fields === 'summary' || lastStatus !== undefined ? Math.max(history, 1) : 0;
  const after = await openCursor(query.cursor, request, deps.secret);
  const found = await (query.contains === undefined ? pageByIds() : pageBySearch());
  const view = ({ job, status }: ListedJob): JobView | JobSummary =>
    fields === 'summary' ? jobSummary(job, status, history) : jobView(job, status);
  const page = await pageView(found, { view, positionOf: jobIdOf }, request, deps);
  const isSearch = query.contains !== undefined;
  return { status: 200, body: { ...page, ...(isSearch && { complete: page.nextCursor === null }) } };

  function pageByIds(): Promise<Filtered<ListedJob>> {
    return filteredPage<ListedJob>({
      after,
      limit: query.limit,
      ...(rows > 0 && { maxRows: MAX_READ }),
      read: async (from, limit) => {
        const { jobs, nextAfter } = await deps.jobs.list(request.project, { after: from, limit });
        return { rows: await withStatus(jobs, query, rows, deps), nextAfter };
      },
      positionOf: jobIdOf,
      keep: (listed) => listed.filter(({ status }) => passesStatus(status, query)),
    });
  }

  async function pageBySearch(): Promise<Filtered<ListedJob>> {
    const search = { after, limit: query.limit, isHit: (job: Job) => passesRow(job, query) };
    const { items, nextAfter } = await searchJobs(request.project, search, deps);
    const listed = await withStatus(items, query, rows, deps);
    return { items: listed.filter(({ status }) => passesStatus(status, query)), nextAfter };
  }
}

const jobIdOf = ({ job }: ListedJob): string => job.jobId;

const passesStatus = ({ status, last }: DerivedStatus, query: ListJobsQuery): boolean =>
  (query.status === undefined || status === query.status) &&
  (query.lastStatus === undefined || last?.status === query.lastStatus);

/** The jobs that pass by their rows, each with its derived status, in the order given. */
async function withStatus(
  jobs: readonly Job[],
  query: ListJobsQuery,
  rows: number,
  deps: ApiDeps,
): Promise<ListedJob[]> {
  const nowMs = deps.clock.nowMs();
  const passing = jobs.filter((job) => passesRow(job, query));
  const statuses = new Map<string, DerivedStatus>();
  await inParallel(passing, PARALLEL_READS, async (job) => {
    statuses.set(job.jobId, await derivedJobStatus(withSchedule(job), { nowMs, rows }, deps));
  });
  return passing.map((job) => ({ job, status: statuses.get(job.jobId)! }));
}

/** A job without its payload, headers and policies. `history`: how many executions it shows; 0: none. */
function jobSummary(
  job: Job,
  { status, nextFireAtMs, last, newest }: DerivedStatus,
  history: number,
): JobSummary {
  return {
    jobId: job.jobId,
    ...(job.name !== undefined && { name: job.name }),
    kind: kindOf(job),
    schedule: job.schedule,
    targets: targetsOf(job).map((target) => ({ type: target.type, address: addressOf(target) })),
    priority: job.priority,
    pool: job.pool,
    tags: job.tags,
    status,
    generation: job.generation,
    createdAt: instantText(job.createdAtMs),
    updatedAt: instantText(job.updatedAtMs),
    scheduleChangedAt: instantText(job.scheduleChangedAtMs),
    ...(job.resumeAtMs !== undefined && { pausedUntil: instantText(job.resumeAtMs) }),
    nextFireAt: optionalInstant(nextFireAtMs),
    lastExecution: last ? runSummary(last) : null,
    ...(history > 0 && { history: newest.slice(0, history).map(runSummary) }),
  };
}

const runSummary = (execution: Execution): RunSummary => ({
  execId: execution.execId,
  trigger: execution.trigger as RunSummary['trigger'],
  status: execution.status,
  reason: execution.reason ?? null,
  dueAt: instantText(execution.dueAtMs),
  startedAt: optionalInstant(execution.startedAtMs),
  finishedAt: optionalInstant(execution.finishedAtMs),
  latenessMs: execution.latenessMs ?? null,
});

const optionalInstant = (ms: number | undefined): string | null =>
  ms === undefined ? null : instantText(ms);
