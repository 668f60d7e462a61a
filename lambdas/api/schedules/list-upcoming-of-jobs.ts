import { DAY_MS, instantText } from '../../core/clock/clock';
import { scheduleContextOf } from '../../core/domain/entry-planning';
import type { Job } from '../../core/domain/job';
import { asPlannedAhead } from '../../core/domain/resumption';
import { runsLeftAfter } from '../../core/domain/planned-times';
import type { UpcomingOfJobsView } from '../../core/http/openapi/lookup-answers';
import { UpcomingOfJobsQuery } from '../../core/http/lookup-queries';
import type { JobFilter } from '../../core/http/query-fields';
import { localText } from '../../core/schedule/instant';
import { parseSchedule } from '../../core/schedule/parse';
import type { PlannedSchedule } from '../../core/schedule/planned-schedule';
import { mayPlan } from '../jobs/job-filter';
import { cpuBudget, type IsSpent } from '../http/cpu-budget';
import { invalidField } from '../http/problem';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const MAX_JOBS = 2_000;
const JOBS_A_PAGE = 100;
const CPU_MS = 5_000;
/** The rest is for the merge, so that a request that ran out of time still shows something. */
const CPU_FOR_JOBS_MS = 4_000;
const DEFAULT_WINDOW_MS = DAY_MS;

type Incomplete = UpcomingOfJobsView['incompleteBecause'][number];

/** The due times of one job, from `atMs` on. */
interface Series {
  job: Pick<Job, 'jobId' | 'name'>;
  schedule: PlannedSchedule;
  atMs: number;
  /** How many `maxRuns` allows, this one included. */
  left: number;
}

/** 200 with the next due times over all jobs that pass the filter, in order. */
export async function listUpcomingOfJobs(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const isSpent = cpuBudget(deps, CPU_MS);
  const isSpentOnJobs = cpuBudget(deps, CPU_FOR_JOBS_MS);
  const query = readQuery(request, UpcomingOfJobsQuery, ['tag']);
  const nowMs = deps.clock.nowMs();
  const fromMs = Math.max(query.from ?? nowMs, nowMs);
  const toMs = query.to ?? fromMs + DEFAULT_WINDOW_MS;
  if (toMs <= fromMs) throw invalidField('to', `must be later than ${instantText(fromMs)}`);
  const window = { afterMs: Math.max(fromMs - 1, nowMs), untilMs: toMs };
  const read = await readSeries(request.project, query, window, isSpentOnJobs, deps);
  const merged = firstDueTimes(read.series, toMs, query.limit, isSpent);
  const incompleteBecause: Incomplete[] = [...new Set([...read.incomplete, ...merged.incomplete])];
  const body: UpcomingOfJobsView = {
    items: merged.items,
    from: instantText(fromMs),
    to: instantText(toMs),
    jobs: read.jobs,
    complete: incompleteBecause.length === 0,
    incompleteBecause,
  };
  return { status: 200, body };
}

/** The series of the first jobs that pass the filter: those with a due time in the window. */
async function readSeries(
  project: string,
  filter: JobFilter,
  { afterMs, untilMs }: { afterMs: number; untilMs: number },
  isSpent: IsSpent,
  deps: ApiDeps,
): Promise<{ series: Series[]; jobs: number; incomplete: Incomplete[] }> {
  const series: Series[] = [];
  let jobs = 0;
  let after: string | undefined;
  do {
    const page = await deps.jobs.list(project, { after, limit: JOBS_A_PAGE });
    for (const job of page.jobs) {
      if (!mayPlan(job, filter)) continue;
      if (jobs === MAX_JOBS) return { series, jobs, incomplete: ['jobs'] };
      if (isSpent()) return { series, jobs, incomplete: ['time'] };
      jobs++;
      const one = seriesOf(job, { afterMs, untilMs });
      if (one) series.push(one);
    }
    after = page.nextAfter;
    if (after !== undefined && isSpent()) return { series, jobs, incomplete: ['time'] };
  } while (after !== undefined);
  return { series, jobs, incomplete: [] };
}

function seriesOf(stored: Job, window: { afterMs: number; untilMs: number }): Series | undefined {
  const job = asPlannedAhead(stored);
  const afterMs = Math.max(window.afterMs, job.activeSinceMs);
  const { untilMs } = window;
  if (afterMs >= untilMs) return undefined;
  const schedule = parseSchedule(job.schedule, scheduleContextOf(job));
  const left = runsLeftAfter(job, schedule, afterMs);
  const atMs = left > 0 ? schedule.next(afterMs, untilMs - 1) : undefined;
  const { jobId, name } = job;
  return atMs === undefined ? undefined : { job: { jobId, name }, schedule, atMs, left };
}

const isBefore = (one: Series, other: Series): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.job.jobId < other.job.jobId);

/** The first `limit` due times of all series, in order. Changes the series. */
function firstDueTimes(
  all: Series[],
  untilMs: number,
  limit: number,
  isSpent: IsSpent,
): { items: UpcomingOfJobsView['items']; incomplete: Incomplete[] } {
  // Only a series whose first due time is among the first `limit` of them can have any of the result.
  const series = all.sort((a, b) => (isBefore(a, b) ? -1 : 1)).slice(0, limit);
  const items: UpcomingOfJobsView['items'] = [];
  while (items.length < limit && series.length > 0) {
    if (isSpent()) return { items, incomplete: ['time'] };
    const first = series.reduce((least, one) => (isBefore(one, least) ? one : least));
    const { jobId, name } = first.job;
    items.push({
      at: instantText(first.atMs),
      local: localText(first.atMs, first.schedule.plan.zone),
      jobId,
      ...(name !== undefined && { name }),
    });
    first.left--;
    const nextMs = first.left > 0 ? first.schedule.next(first.atMs, untilMs - 1) : undefined;
    if (nextMs !== undefined) first.atMs = nextMs;
    else series.splice(series.indexOf(first), 1);
  }
  return { items, incomplete: [] };
}
