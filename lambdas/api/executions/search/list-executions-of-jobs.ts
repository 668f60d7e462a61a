import { DAY_MS, instantText } from '../../../core/clock/clock';
import { failureSortOf, isHiddenJob, jobKeyOf } from '../../../core/contracts/tables';
import type { Job } from '../../../core/domain/job';
import { CLOCK_SKEW_MS } from '../../../core/domain/timing';
import { isTerminal, type TerminalStatus } from '../../../core/domain/transitions';
import type { ExecutionsOfJobsView } from '../../../core/http/openapi/lookup-answers';
import { ExecutionsOfJobsQuery } from '../../../core/http/lookup-queries';
import { cpuBudget, type IsSpent } from '../../http/cpu-budget';
import { type Filtered, filteredPage, openCursor, pageView } from '../../http/paging';
import { readQuery } from '../../http/parse-request';
import { invalidField } from '../../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../../request';
import { type AnyExecution, executionViews, isRetained } from '../execution-view';
import { type EndedPage, listEnded } from './list-ended';
import { isByLabel, listLabelled } from './list-labelled';
import { passesAll, type SelectedJobs, selectJobs } from './select-jobs';
import { JobSource, type Wanted, mergeSources } from './sources';

const CPU_MS = 5_000;
/** The rest is for the merge. */
const CPU_FOR_JOBS_MS = 3_500;
const DEFAULT_WINDOW_MS = DAY_MS;

interface Window {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  nowMs: number;
}

type Incomplete = ExecutionsOfJobsView['incompleteBecause'][number];

/** Where executions are looked for. */
type Source = 'index' | 'journal' | 'jobs';

/** 200 with a page of the executions of jobs, newest due time first. */
export async function listExecutionsOfJobs(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const isSpent = cpuBudget(deps, CPU_MS);
  const query = readQuery(request, ExecutionsOfJobsQuery, ['tag']);
  if (isByLabel(query)) return listLabelled(query, request, deps);
  const after = await openCursor(query.cursor, request, deps.secret);
  const nowMs = deps.clock.nowMs();
  const window = { ...windowOf(query, nowMs), nowMs };
  const source = sourceOf(query.status, deps);
  const selected = await selectedBy(query, source, request, deps);
  const ended = await endedIn({ ...query, ...window, after }, { source, selected }, request, isSpent, deps);
  const found =
    source === 'journal'
      ? ended!.page
      : await notByJournal({ ...query, ...window, after }, { source, selected }, request, isSpent, deps);
  const show = { view: await executionViews(deps), positionOf: failureSortOf };
  const page = await pageView(found ?? { items: [] }, show, request, deps);
  const incompleteBecause = reasonsOf({ ...query, ...window }, { found, source, selected, ended }, deps);
  const body: ExecutionsOfJobsView = {
    ...page,
    from: instantText(window.fromMs),
    to: instantText(window.toMs),
    jobs: selected?.jobs.length ?? (await deps.usage.get(request.project)).jobs,
    complete: incompleteBecause.length === 0,
    incompleteBecause,
    asOf: instantText(ended?.asOfMs ?? nowMs),
    ...(query.counts && { counts: ended?.counts ?? null }),
  };
  return { status: 200, body };
}

/** Failed and skipped ones are in an index, and all ended ones in the journal, if there is one. */
function sourceOf(status: ExecutionsOfJobsQuery['status'], { settings }: ApiDeps): Source {
  if (status === 'failed' || status === 'skipped') return 'index';
  return settings.journal && isEndedStatus(status) ? 'journal' : 'jobs';
}

const isEndedStatus = (status: ExecutionsOfJobsQuery['status']): boolean =>
  status !== undefined && (status === 'ended' || isTerminal(status));

/** Undefined: all jobs, which need not be read. */
function selectedBy(
  query: ExecutionsOfJobsQuery,
  source: Source,
  { project }: ApiRequest,
  deps: ApiDeps,
): Promise<SelectedJobs | undefined> {
  const isBounded = !deps.settings.journal || source === 'jobs';
  if (!isBounded && passesAll(query)) return Promise.resolve(undefined);
  return selectJobs(project, { filter: query, isBounded }, cpuBudget(deps, CPU_FOR_JOBS_MS), deps);
}

type Query = ExecutionsOfJobsQuery & Window & { after: string | undefined };

interface Choice {
  source: Source;
  selected: SelectedJobs | undefined;
}

/** What the journal has of a window: the page, or counts alone. */
async function endedIn(
  { fromMs, toMs, nowMs, status, limit, counts, after }: Query,
  { source, selected }: Choice,
  { project }: ApiRequest,
  isSpent: IsSpent,
  deps: ApiDeps,
): Promise<EndedPage | undefined> {
  const isPage = source === 'journal';
  if (!isPage && !(counts && deps.settings.journal)) return undefined;
  const jobIds = selected && new Set(selected.jobs.map(({ jobId }) => jobId));
  const wanted = status === undefined || !isEndedStatus(status) ? 'ended' : status;
  return listEnded(
    {
      ...{ project, fromMs, toMs, nowMs, jobIds, counts },
      status: wanted === 'ended' ? undefined : (wanted as TerminalStatus),
      limit: isPage ? limit : 0,
      after: isPage ? after : undefined,
    },
    isSpent,
    deps,
  );
}

/** A page, or undefined: the CPU budget was used up before each job was read once. */
function notByJournal(
  { fromMs, toMs, nowMs, status, limit, after }: Query,
  { source, selected }: Choice,
  { project }: ApiRequest,
  isSpent: IsSpent,
  deps: ApiDeps,
): Promise<Filtered<AnyExecution> | undefined> {
  const wanted = { fromMs, toMs, nowMs, derives: isDerived(status), ...(after !== undefined && { after }) };
  if (source === 'index')
    return fromIndex(project, selected, { ...wanted, limit, status: status as 'failed' | 'skipped' }, deps);
  return fromJobs(selected!.jobs, wanted, { limit, status, isSpent }, deps);
}

/** Why executions of the window may be missing from all pages. */
function reasonsOf(
  { fromMs, nowMs, status }: Pick<Query, 'fromMs' | 'nowMs' | 'status'>,
  { found, source, selected, ended }: Choice & { found: object | undefined; ended: EndedPage | undefined },
  { retentionDays }: ApiDeps,
): Incomplete[] {
  const reasons: Incomplete[] = [];
  const byJournal = source === 'journal' ? ended : undefined;
  if (selected?.isAll === false || !found || byJournal?.isCut) reasons.push('time');
  if (byJournal?.beginsLate) reasons.push('journal');
  if (fromMs < nowMs - retentionDays * DAY_MS) reasons.push('retention');
  if ((status === undefined || status === 'queued') && selected?.jobs.some(mayWaitLong))
    reasons.push('waiting');
  return reasons;
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
  selected: SelectedJobs | undefined,
  wanted: Wanted & { limit: number; status: 'failed' | 'skipped' },
  { executions, retentionDays }: ApiDeps,
): Promise<Filtered<AnyExecution>> {
  const { toMs, nowMs, status, after, limit } = wanted;
  const jobKeys = selected && new Set(selected.jobs.map(jobKeyOf));
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
      rows.filter(
        (row) =>
          row.status === status &&
          (jobKeys?.has(row.jobKey) ?? !isHiddenJob(row.jobKey)) &&
          isRetained(row, nowMs),
      ),
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
  const keep = (one: AnyExecution) =>
    status === undefined || (status === 'ended' ? isTerminal(one.status) : one.status === status);
  return mergeSources(sources, { limit, keep, isSpent }, deps);
}
