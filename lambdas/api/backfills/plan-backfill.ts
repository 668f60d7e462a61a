import { instantText, DAY_MS, SECOND_MS } from '../../core/clock/clock';
import type { Job } from '../../core/domain/job';
import {
  type Backfill,
  MAX_BACKFILL_DATES,
  BACKFILL_TASK,
  workflowOfBackfill,
} from '../../core/domain/workflow/backfill';
import { dollarsOf, writesOf } from '../../core/domain/workflow/sample-run';
import type { BackfillBody } from '../../core/http/backfill';
import type { BackfillPlanView } from '../../core/http/openapi/backfill';
import type { PlannedBackfill } from '../../core/store/backfill-store';
import { scheduleContextOf } from '../../core/domain/entry-planning';
import { scheduleOfAllTimes } from '../../core/schedule/all-times';
import { compactInstant, jobKeyOf } from '../../core/contracts/tables';
import { isOfOccurrence } from '../../core/domain/execution';
import { workerTargetOf } from '../../core/domain/work';
import { segmentsIn } from '../../core/domain/workflow/fan-out';
import { graphOf } from '../../core/domain/workflow/graph';
import type { ApiDeps } from '../request';
import { cpuBudget } from '../http/cpu-budget';
import { conflict, invalidField } from '../http/problem';
import { isRetained } from '../executions/execution-view';
import { endOfInstant } from '../jobs/derived-job-status';

/** What a backfill would run: its dates in the order in which they begin, and what was counted. */
interface BackfillPlan {
  backfill: Backfill;
  dueTimesMs: number[];
  counted: Omit<PlannedBackfill, 'jobKey' | 'execId'>;
}

/** Counts the dates of a backfill. Writes nothing. Throws `ProblemError` 400 and 409. */
export async function planBackfill(job: Job, body: BackfillBody, deps: ApiDeps): Promise<BackfillPlan> {
  const all = dueTimesIn(job, { fromMs: body.from, toMs: body.to }, deps);
  const succeeded = await succeededDates(job, all, deps);
  const chosen = body.only === 'all' ? all : all.filter((atMs) => !succeeded.has(atMs));
  const backfill = rowOf(job, body, chosen.length);
  const counted = {
    ...(chosen.length > 0 && { firstMs: chosen[0]!, lastMs: chosen.at(-1)! }),
    alreadySucceeded: succeeded.size,
    writes: await writesOfBackfill(job, backfill, deps),
  };
  return { backfill, dueTimesMs: body.order === 'asc' ? chosen : chosen.toReversed(), counted };
}

/** Dates that share the overlap lock of their job run one at a time. More of them would wait for nothing. */
const isSerial = ({ overlap }: Job, body: BackfillBody): boolean =>
  overlap !== 'allow' && body.overlap === 'respect';

function rowOf(job: Job, body: BackfillBody, count: number): Backfill {
  const { from, to, parallel, order, only, onFailure, overlap, priority } = body;
  return {
    fromMs: from,
    toMs: to,
    parallel: isSerial(job, body) ? 1 : parallel,
    order,
    only,
    onFailure,
    overlap,
    priority,
    count,
  };
}

export const planView = (
  { count, parallel }: Pick<Backfill, 'count' | 'parallel'>,
  { firstMs, lastMs, alreadySucceeded, writes }: BackfillPlan['counted'],
): BackfillPlanView => ({
  count,
  first: firstMs === undefined ? null : instantText(firstMs),
  last: lastMs === undefined ? null : instantText(lastMs),
  alreadySucceeded,
  parallel,
  estimate: { writes, dollars: dollarsOf(writes) },
});

/** From the first date to the last. */
export const MAX_RANGE_MS = 36_525 * DAY_MS;
const CPU_BUDGET_MS = 2 * SECOND_MS;

/** Due times from `fromMs` on, before `toMs`. */
interface TimeRange {
  fromMs: number;
  toMs: number;
}

/**
 * The due times of a job's schedule in a range, in order. It does not matter when the job was created or
 * paused, nor do `startAt`, `endAt` and `maxRuns`. Throws `ProblemError` 400 for a range that is too long, or
 * has more than 10,000 of them. 409: the schedule has none at all.
 */
export function dueTimesIn(job: Job, { fromMs, toMs }: TimeRange, deps: Pick<ApiDeps, 'cpuMs'>): number[] {
  checkHasDueTimes(job);
  if (toMs - fromMs > MAX_RANGE_MS)
    throw invalidField('to', `${instantText(toMs)} is too late: at most 100 years after from are allowed`);
  const schedule = scheduleOfAllTimes(job.schedule, scheduleContextOf(job), fromMs);
  const isSpent = cpuBudget(deps, CPU_BUDGET_MS);
  const times: number[] = [];
  let atMs = schedule.next(fromMs - 1, toMs - 1);
  while (atMs !== undefined) {
    times.push(atMs);
    if (times.length > MAX_BACKFILL_DATES) throw tooMany(toMs, times);
    if (isSpent())
      throw invalidField('to', `${instantText(toMs)} is too late: its due times take too long to list`);
    atMs = schedule.next(atMs, toMs - 1);
  }
  return times;
}

/** Names the last `to` that would do: the due time that is one too many. */
const tooMany = (toMs: number, times: readonly number[]) =>
  invalidField(
    'to',
    `${instantText(toMs)} is too late: a backfill has at most ${MAX_BACKFILL_DATES} dates, and there are more; ` +
      `with this from, to is allowed up to ${instantText(times.at(-1)!)}`,
  );

function checkHasDueTimes({ schedule, jobId }: Job): void {
  if (typeof schedule === 'string') return;
  if (schedule.type !== 'none' && schedule.type !== 'after' && schedule.type !== 'event') return;
  throw conflict(
    `job ${JSON.stringify(jobId)} has a schedule of type ${schedule.type}: without due times, there is nothing ` +
      'to backfill; run it instead',
  );
}

const ROWS_A_READ = 500;
/** Bound on the rows of the history that one request reads. */
const MAX_ROWS = 30_000;

/**
 * Which dates of a job have an execution that has succeeded: one that was planned, or that a backfill has
 * started. Reads the history between the first date and the last. Throws `ProblemError` 400 if that has more
 * than 30,000 rows.
 *
 * @param dates in ascending order
 */
async function succeededDates(
  job: Job,
  dates: readonly number[],
  { executions, clock }: Pick<ApiDeps, 'executions' | 'clock'>,
): Promise<Set<number>> {
  const succeeded = new Set<number>();
  if (dates.length === 0) return succeeded;
  const nowMs = clock.nowMs();
  let after: string | undefined;
  let rows = 0;
  do {
    const page = await executions.list(jobKeyOf(job), {
      order: 'asc',
      fromExecId: compactInstant(dates[0]!),
      toExecId: endOfInstant(dates.at(-1)!),
      after,
      limit: ROWS_A_READ,
    });
    for (const row of page.executions)
      if (row.status === 'succeeded' && isOfOccurrence(row) && isRetained(row, nowMs))
        succeeded.add(row.dueAtMs);
    rows += page.executions.length;
    after = page.nextAfter;
    if (after !== undefined && rows >= MAX_ROWS)
      throw invalidField(
        'to',
        `is too late: the history from the first date to the last has more than ${MAX_ROWS} executions; choose a ` +
          'shorter range',
      );
  } while (after !== undefined);
  return new Set(dates.filter((atMs) => succeeded.has(atMs)));
}

/** Its rows in the lists of its job and of the project, and that of its run. */
const ROWS_OF_A_BACKFILL = 3;
/** The dates of a segment are longer than 1 KB. */
const MORE_FOR_A_SEGMENT = 1;
/** Its claim and its end; its entry, row and mark count with the backfill. */
const WRITES_A_PLAIN_DATE = 2;
/** The entry of a run counts with the backfill too. */
const WRITES_OF_AN_ENTRY = 1;
/** A ticket in the work queue and its removal, and the entry at the limit of the lease. */
const WRITES_BY_A_WORKER = 3;
/** The gate is acquired and released. */
const WRITES_A_GATE = 2;

/** The writes of a backfill, if each date succeeds at its first attempt. */
async function writesOfBackfill(
  job: Job,
  backfill: Backfill,
  { flows }: Pick<ApiDeps, 'flows'>,
): Promise<number> {
  const { count, overlap } = backfill;
  const graph = graphOf(workflowOfBackfill(job.jobId, backfill));
  const ofRun = writesOf(graph, new Map([[graph.indexOf.get(BACKFILL_TASK)!, count]]));
  const isOccupying = job.overlap !== 'allow' && overlap === 'respect';
  const gates = [isOccupying, job.orderingKey !== null, job.concurrencyKey !== undefined].filter(Boolean);
  const ofEachDate = WRITES_A_GATE * gates.length + (await writesOfJob(job, flows));
  return ROWS_OF_A_BACKFILL + ofRun + MORE_FOR_A_SEGMENT * segmentsIn(count) + ofEachDate * count;
}

/** A fan-out in its workflow counts as empty: its items are not known. */
async function writesOfJob(job: Job, flows: ApiDeps['flows']): Promise<number> {
  const flow = job.workflow && (await flows.get(jobKeyOf(job), job.workflow.version));
  if (flow) return writesOf(graphOf(flow.workflow), new Map()) - WRITES_OF_AN_ENTRY;
  return WRITES_A_PLAIN_DATE + (workerTargetOf(job) ? WRITES_BY_A_WORKER : 0);
}
