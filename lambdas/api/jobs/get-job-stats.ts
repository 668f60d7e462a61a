import { DAY_MS, instantText } from '../../core/clock/clock';
import { compactInstant, jobKeyOf } from '../../core/contracts/tables';
import type { Execution, AttemptRecord } from '../../core/domain/execution';
import type { JobStatsView } from '../../core/http/openapi/lookup-answers';
import { JobStatsQuery } from '../../core/http/lookup-queries';
import { type Job, targetsOf } from '../../core/domain/job';
import { reportingOf } from '../../core/domain/target';
import { durationMsOf } from '../../core/domain/timing';
import { mustHaveExisted } from '../executions/list-executions';
import { isRetained } from '../executions/execution-view';
import { readQuery, requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { endOfInstant } from './derived-job-status';

const MAX_ROWS = 2_000;
const ROWS_A_READ = 500;

/** 200 with statistics of a job's newest executions; also of a deleted job. */
export async function getJobStats(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const { days } = readQuery(request, JobStatsQuery);
  const job = await deps.jobs.get(ref);
  const toMs = deps.clock.nowMs();
  // Rows of an earlier job with the same id do not count.
  const fromMs = Math.max(toMs - days * DAY_MS, job?.createdAtMs ?? 0);
  const { rows, hasMore } = await newestRows(jobKeyOf(ref), { fromMs, toMs }, deps);
  if (!job && rows.length === 0) await mustHaveExisted(ref, deps);
  const oldest = rows.at(-1);
  const body: JobStatsView = {
    jobId: ref.jobId,
    from: instantText(fromMs),
    to: instantText(toMs),
    rows: rows.length,
    complete: !hasMore,
    since: oldest ? instantText(oldest.dueAtMs) : null,
    ...statsOf(rows),
    cost: costOf(rows, job),
  };
  return { status: 200, body };
}

/**
 * The newest rows that are due in `[fromMs, toMs]`, newest first. The run of a backfill only starts dates,
 * which are executions of the job themselves.
 */
async function newestRows(
  jobKey: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  { executions }: ApiDeps,
): Promise<{ rows: Execution[]; hasMore: boolean }> {
  const rows: Execution[] = [];
  let after: string | undefined;
  do {
    const page = await executions.list(jobKey, {
      order: 'desc',
      after,
      fromExecId: compactInstant(fromMs),
      toExecId: endOfInstant(toMs),
      limit: Math.min(ROWS_A_READ, MAX_ROWS - rows.length),
    });
    rows.push(...page.executions.filter((row) => isRetained(row, toMs) && row.backfill === undefined));
    after = page.nextAfter;
  } while (after !== undefined && rows.length < MAX_ROWS);
  return { rows, hasMore: after !== undefined };
}

type Counts = JobStatsView['counts'];

/** Dollars of one attempt, and of a second in which an executor waits for a target alone: docs/cost.md. */
const USD_PER_ATTEMPT = 2.56e-6;
const USD_PER_SECOND_ALONE = 3.33e-6;
/** Dollars of a second in which an executor waits for ten targets at once. */
const USD_PER_SECOND_SHARED = 0.33e-6;

/** How the executions went, from their rows. */
function statsOf(
  rows: readonly Execution[],
): Pick<JobStatsView, 'counts' | 'successRate' | 'durationMs' | 'latenessMs'> {
  const counts: Counts = {};
  for (const { status, skipped } of rows) {
    const occurrences = status === 'skipped' ? (skipped?.count ?? 1) : 1;
    counts[status] = (counts[status] ?? 0) + occurrences;
  }
  const { succeeded = 0, failed = 0 } = counts;
  const ran = rows.filter(({ status }) => status === 'succeeded' || status === 'failed');
  return {
    counts,
    successRate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    durationMs: spreadOf(ran.flatMap((row) => durationMsOf(row) ?? [])),
    latenessMs: spreadOf(rows.flatMap(({ latenessMs }) => latenessMs ?? [])),
  };
}

/**
 * What the attempts cost. Time in which a target with `mode: "async"` works is not paid, because its executor
 * does not wait. `job` undefined: its targets are not known, and all time counts.
 */
function costOf(
  rows: readonly Execution[],
  job: Pick<Job, 'target' | 'targets'> | undefined,
): JobStatsView['cost'] {
  const targets = job ? targetsOf(job) : [];
  const isWaitedFor = ({ target }: AttemptRecord) => {
    const now = targets[target];
    return !now || reportingOf(now).mode !== 'async';
  };
  let [attempts, calledMs] = [0, 0];
  for (const row of rows) {
    attempts += new Set(row.attempts.map(({ fence }) => fence)).size;
    for (const { startedAtMs, finishedAtMs } of row.attempts.filter(isWaitedFor))
      calledMs += finishedAtMs - startedAtMs;
  }
  const usd = (perSecond: number) => rounded(attempts * USD_PER_ATTEMPT + (calledMs / 1_000) * perSecond);
  return {
    attempts,
    calledMs,
    usdAtLeast: usd(USD_PER_SECOND_SHARED),
    usdAtMost: usd(USD_PER_SECOND_ALONE),
  };
}

const rounded = (usd: number): number => Math.round(usd * 1e9) / 1e9;

/** Percentiles by nearest rank; null without values. */
function spreadOf(values: readonly number[]): JobStatsView['durationMs'] {
  const sorted = [...values].sort((a, b) => a - b);
  const atRank = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1]!);
  return sorted.length === 0 ? null : { p50: atRank(0.5), p95: atRank(0.95), max: atRank(1) };
}
