import { DAY_MS, HOUR_MS, instantText } from '../../../core/clock/clock';
import { HISTOGRAM_ERROR } from '../../../core/domain/histogram';
import type { StatsView } from '../../../core/http/openapi/stats';
import { StatsQuery } from '../../../core/http/stats';
import { cpuBudget } from '../../http/cpu-budget';
import { readQuery } from '../../http/parse-request';
import { invalidField } from '../../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../../request';
import { readEnds } from '../search/list-ended';
import { selectJobs } from '../search/select-jobs';
import { EndStats } from './end-stats';

const CPU_MS = 5_000;
const CPU_FOR_JOBS_MS = 2_000;
/** A list of more is no use to anyone. */
const MOST_HOURS = 31 * 24;
const MOST_DAYS = 366;

/** 200 with how executions ended, by the hour or the day in which they were due. */
export async function getStats(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const isSpent = cpuBudget(deps, CPU_MS);
  const query = readQuery(request, StatsQuery, ['tag']);
  const { by } = query;
  const nowMs = deps.clock.nowMs();
  const window = windowOf(query, nowMs);
  const answer = { by, from: instantText(window.fromMs), to: instantText(window.toMs) };
  if (!deps.settings.journal) {
    const body: StatsView = { ...answer, ...NO_JOURNAL, asOf: instantText(nowMs) };
    return { status: 200, body };
  }
  const bucketMs = LENGTHS[by];
  const buckets = Array.from(
    { length: Math.ceil((window.toMs - window.fromMs) / bucketMs) },
    () => new EndStats(),
  );
  const total = new EndStats();
  const jobs = await jobsOf(query, request, deps);
  const { isCut, beginsLate, asOfMs } = await readEnds(
    {
      ...{ project: request.project, ...window, nowMs, jobIds: jobs?.ids },
      visit: (end, namedMs) => {
        buckets[Math.floor((namedMs - window.fromMs) / bucketMs)]?.add(end);
        total.add(end);
      },
    },
    isSpent,
    deps,
  );
  const incompleteBecause: StatsView['incompleteBecause'] = [
    ...(isCut || jobs?.isAll === false ? (['time'] as const) : []),
    ...(beginsLate ? (['journal'] as const) : []),
    ...(window.fromMs < nowMs - deps.retentionDays * DAY_MS ? (['retention'] as const) : []),
  ];
  const body: StatsView = {
    ...answer,
    buckets: buckets.map((one, index) => ({
      from: instantText(window.fromMs + index * bucketMs),
      ...one.view(),
    })),
    total: total.view(),
    resolution: HISTOGRAM_ERROR,
    complete: incompleteBecause.length === 0,
    incompleteBecause,
    asOf: instantText(asOfMs),
  };
  return { status: 200, body };
}

const LENGTHS = { hour: HOUR_MS, day: DAY_MS };

const NO_JOURNAL = {
  buckets: [],
  total: null,
  resolution: HISTOGRAM_ERROR,
  complete: false,
  incompleteBecause: ['journal'],
} satisfies Partial<StatsView>;

/** Undefined: all jobs, those that were deleted too. */
async function jobsOf(
  { job, tag }: StatsQuery,
  { project }: ApiRequest,
  deps: ApiDeps,
): Promise<{ ids: ReadonlySet<string>; isAll: boolean } | undefined> {
  if (tag.length === 0) return job === undefined ? undefined : { ids: new Set([job]), isAll: true };
  const selection = { filter: { tag }, isBounded: false };
  const { jobs, isAll } = await selectJobs(project, selection, cpuBudget(deps, CPU_FOR_JOBS_MS), deps);
  const ids = jobs.map(({ jobId }) => jobId).filter((id) => job === undefined || id === job);
  return { ids: new Set(ids), isAll };
}

/** Whole hours: `from` is rounded down, and `to` up. */
function windowOf({ by, from, to }: StatsQuery, nowMs: number): { fromMs: number; toMs: number } {
  const toMs = Math.ceil((to ?? nowMs) / HOUR_MS) * HOUR_MS;
  const fromMs = Math.floor((from ?? toMs - (by === 'hour' ? DAY_MS : 30 * DAY_MS)) / HOUR_MS) * HOUR_MS;
  if (fromMs >= toMs) throw invalidField('to', `must be later than ${instantText(fromMs)}`);
  const most = by === 'hour' ? MOST_HOURS : MOST_DAYS;
  if (toMs - fromMs > most * LENGTHS[by])
    throw invalidField('from', `must be at most ${most} ${by}s before to`);
  return { fromMs, toMs };
}
