import { DAY_MS, instantText } from '../../../core/clock/clock';
import { failureSortOf, jobKeyOf } from '../../../core/contracts/tables';
import type { Job } from '../../../core/domain/job';
import { CLOCK_SKEW_MS } from '../../../core/domain/timing';
import type { ExecutionsOfJobsView } from '../../../core/http/openapi/lookup-answers';
import { ExecutionsOfJobsQuery } from '../../../core/http/lookup-queries';
import type { JobFilter } from '../../../core/http/query-fields';
import { cpuBudget, type IsSpent } from '../../http/cpu-budget';
import { type Filtered, filteredPage, openCursor, pageView } from '../../http/paging';
import { readQuery } from '../../http/parse-request';
import { invalidField } from '../../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../../request';
import { passesRow } from '../../jobs/job-filter';
import { type AnyExecution, executionView, isRetained } from '../execution-view';
import { JobSource, type Wanted, mergeSources } from './sources';

const CPU_MS = 5_000;
/** The rest is for the merge. */
const CPU_FOR_JOBS_MS = 3_500;
const DEFAULT_WINDOW_MS = DAY_MS;

type Incomplete = ExecutionsOfJobsView['incompleteBecause'][number];

/** 200 with a page of the executions of up to 500 jobs, newest due time first. */
export async function listExecutionsOfJobs(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const isSpent = cpuBudget(deps, CPU_MS);
  const isSpentOnJobs = cpuBudget(deps, CPU_FOR_JOBS_MS);
  const query = readQuery(request, ExecutionsOfJobsQuery, ['tag']);
  const after = await openCursor(query.cursor, request, deps.secret);
  const nowMs = deps.clock.nowMs();
  const { fromMs, toMs } = windowOf(query, nowMs);
  const { jobs, isAll } = await selectJobs(
    request.project,
    { ...query, status: undefined },
    isSpentOnJobs,
    deps,
  );
  const { status, limit } = query;
  const wanted = { fromMs, toMs, nowMs, derives: isDerived(status), ...(after !== undefined && { after }) };
  const found =
    status === 'failed' || status === 'skipped'
      ? await fromIndex(request.project, jobs, { ...wanted, limit, status }, deps)
      : await fromJobs(jobs, wanted, { limit, status, isSpent }, deps);
  const show = { view: executionView, positionOf: failureSortOf };
  const page = await pageView(found ?? { items: [] }, show, request, deps);
  const incompleteBecause: Incomplete[] = [];
  if (!isAll || !found) incompleteBecause.push('time');
  if (fromMs < nowMs - deps.retentionDays * DAY_MS) incompleteBecause.push('retention');
  if ((status === undefined || status === 'queued') && jobs.some(mayWaitLong))
    incompleteBecause.push('waiting');
  const body: ExecutionsOfJobsView = {
    ...page,
    from: instantText(fromMs),
    to: instantText(toMs),
    jobs: jobs.length,
    complete: incompleteBecause.length === 0,
    incompleteBecause,
  };
  return { status: 200, body };
}

const isDerived = (status: ExecutionsOfJobsQuery['status']): boolean =>
  status === undefined || status === 'scheduled' || status === 'queued';

/** Its executions may wait without a row for longer than the hour that is derived. */
const mayWaitLong = ({ orderingKey, overlap }: Job): boolean =>
  orderingKey !== null || overlap === 'queue' || overlap === 'replace';

/** What is scheduled lies ahead. All else is due. */
function windowOf(
  { from, to, status }: Pick<ExecutionsOfJobsQuery, 'from' | 'to' | 'status'>,
  nowMs: number,
): { fromMs: number; toMs: number } {
  if (status === 'scheduled') {
    const fromMs = from ?? nowMs;
    return checked(fromMs, to ?? fromMs + DEFAULT_WINDOW_MS);
  }
  const toMs = to ?? Math.max(nowMs + CLOCK_SKEW_MS, (from ?? 0) + 1);
  return checked(from ?? toMs - DEFAULT_WINDOW_MS, toMs);
}

function checked(fromMs: number, toMs: number): { fromMs: number; toMs: number } {
  if (toMs <= fromMs) throw invalidField('to', `must be later than ${instantText(fromMs)}`);
  return { fromMs, toMs };
}

/** Failed and skipped ones are in an index of the project. */
function fromIndex(
  project: string,
  jobs: readonly Job[],
  wanted: Wanted & { limit: number; status: 'failed' | 'skipped' },
  { executions, retentionDays }: ApiDeps,
): Promise<Filtered<AnyExecution>> {
  const { toMs, nowMs, status, after, limit } = wanted;
  const jobKeys = new Set(jobs.map(jobKeyOf));
  // Older rows have been removed.
  const fromMs = Math.max(wanted.fromMs, nowMs - retentionDays * DAY_MS);
  return filteredPage<AnyExecution>({
    ...(after !== undefined && { after }),
    limit,
    read: async (next, pageLimit) => {
      if (fromMs >= toMs) return { rows: [] };
      const found = await executions.listFailures(project, { fromMs, toMs, after: next, limit: pageLimit });
      return { rows: found.executions, nextAfter: found.nextAfter };
    },
    positionOf: failureSortOf,
    keep: (rows) =>
      rows.filter((row) => row.status === status && jobKeys.has(row.jobKey) && isRetained(row, nowMs)),
  });
}

/** All other executions are read job by job, the newest first, and merged. */
function fromJobs(
  jobs: readonly Job[],
  wanted: Wanted,
  { limit, status, isSpent }: { limit: number; status: ExecutionsOfJobsQuery['status']; isSpent: IsSpent },
  deps: ApiDeps,
): Promise<Filtered<AnyExecution> | undefined> {
  const sources: JobSource[] = [];
  for (const job of jobs) {
    if (isSpent()) return Promise.resolve(undefined);
    sources.push(new JobSource(job, wanted, isSpent));
  }
  const keep = (one: AnyExecution) => status === undefined || one.status === status;
  return mergeSources(sources, { limit, keep, isSpent }, deps);
}

const MAX_JOBS = 500;
const JOBS_A_READ = 100;

/** The jobs of a project that pass a filter. `isAll`: the CPU budget was enough to read all of them. */
interface SelectedJobs {
  jobs: Job[];
  isAll: boolean;
}

/** Throws `ProblemError` 400 if more than 500 jobs pass. */
async function selectJobs(
  project: string,
  filter: JobFilter,
  isSpent: IsSpent,
  deps: ApiDeps,
): Promise<SelectedJobs> {
  const jobs: Job[] = [];
  let after: string | undefined;
  do {
    const page = await deps.jobs.list(project, { after, limit: JOBS_A_READ });
    jobs.push(...page.jobs.filter((job) => passesRow(job, filter)));
    if (jobs.length > MAX_JOBS)
      throw invalidField(
        'query',
        `selects more than ${MAX_JOBS} jobs; allowed are ${MAX_JOBS}: narrow it with tag, q, kind, pool or target`,
      );
    after = page.nextAfter;
  } while (after !== undefined && !isSpent());
  return { jobs, isAll: after === undefined };
}
