import { DAY_MS, instantText, MINUTE_MS } from '../../core/clock/clock';
import { minuteOf, minuteStartMs } from '../../core/contracts/tables';
import { scheduleOf } from '../../core/domain/entry-planning';
import { type Job, plannedSinceMs } from '../../core/domain/job';
import { addPlannedByMinute } from '../../core/domain/planned-times';
import { asPlannedAhead } from '../../core/domain/resumption';
import type { LoadView } from '../../core/http/openapi/lookup-answers';
import { LoadQuery } from '../../core/http/lookup-queries';
import { mayPlan } from '../jobs/job-filter';
import { cpuBudget } from '../http/cpu-budget';
import { openCursor, sealCursor } from '../http/paging';
import { invalidField } from '../http/problem';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const JOBS_A_PAGE = 500;
const JOBS_A_READ = 100;
const CPU_MS = 2_000;
const MAX_DAYS = 7;
const DEFAULT_WINDOW_MS = DAY_MS;

/** Minutes since the epoch: `[from, to)`. */
interface Minutes {
  from: number;
  to: number;
}

/** Where a page begins: it keeps the minutes of the first page, whose default begins with the request. */
interface Position extends Minutes {
  /** jobId to continue after. */
  after?: string;
}

/** 200 with the planned occurrences by minute of one page of jobs. */
export async function getLoad(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const isSpent = cpuBudget(deps, CPU_MS);
  const query = readQuery(request, LoadQuery, ['tag']);
  const position = await positionOf(query, request, deps);
  const { from, to } = position;
  const counts = Array.from({ length: to - from }, () => 0);
  let [read, jobs, { after }] = [0, 0, position];
  let hasMore = true;
  while (hasMore && read < JOBS_A_PAGE && !(read > 0 && isSpent())) {
    const limit = Math.min(JOBS_A_READ, JOBS_A_PAGE - read);
    const page = await deps.jobs.list(request.project, { after, limit });
    hasMore = page.nextAfter !== undefined;
    after = page.nextAfter;
    for (const [index, job] of page.jobs.entries()) {
      read++;
      if (mayPlan(job, query)) {
        addLoad(asPlannedAhead(job), position, counts);
        jobs++;
      }
      if (!isSpent() || index === page.jobs.length - 1) continue;
      [hasMore, after] = [true, job.jobId];
      break;
    }
  }
  const next = hasMore && after !== undefined ? positionText({ from, to, after }) : undefined;
  const body: LoadView = {
    from: instantText(minuteStartMs(from)),
    to: instantText(minuteStartMs(to)),
    counts,
    jobs,
    nextCursor: next === undefined ? null : await sealCursor(next, request, deps.secret),
  };
  return { status: 200, body };
}

/** Adds what a job plans, by its definition as it is now, and later than that definition. */
function addLoad(job: Job, { from, to }: Minutes, counts: number[]): void {
  const window = {
    afterMs: Math.max(minuteStartMs(from) - 1, plannedSinceMs(job)),
    throughMs: minuteStartMs(to) - 1,
  };
  if (window.afterMs >= window.throughMs) return;
  addPlannedByMinute(job, scheduleOf(job), window, (minute, count) => {
    counts[minute - from]! += count;
  });
}

async function positionOf(
  { from, to, cursor }: { from?: number; to?: number; cursor?: string },
  request: ApiRequest,
  { clock, secret }: ApiDeps,
): Promise<Position> {
  const position = await openCursor(cursor, request, secret);
  if (position !== undefined) return JSON.parse(position) as Position;
  const fromMs = from ?? minuteStartMs(minuteOf(clock.nowMs()));
  const toMs = to ?? fromMs + DEFAULT_WINDOW_MS;
  if (toMs <= fromMs) throw invalidField('to', `must be later than ${instantText(fromMs)}`);
  if (toMs - fromMs > MAX_DAYS * DAY_MS)
    throw invalidField(
      'to',
      `must be at most ${MAX_DAYS} days after from: ${instantText(fromMs + MAX_DAYS * DAY_MS)}`,
    );
  return { from: minuteOf(fromMs), to: Math.ceil(toMs / MINUTE_MS) };
}

const positionText = (position: Position): string => JSON.stringify(position);
