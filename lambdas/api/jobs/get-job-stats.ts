import { DAY_MS, instantText } from '../../core/clock/clock';
import { compactInstant, jobKeyOf } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import type { JobStatsView } from '../../core/http/lookup-answers';
import { JobStatsQuery } from '../../core/http/lookup-queries';
import { mustHaveExisted } from '../executions/list-executions';
import { isRetained } from '../executions/execution-view';
import { endOfInstant } from './derived-job-status';
import { costOf, statsOf } from './job-stats';
import { readQuery, requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

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
