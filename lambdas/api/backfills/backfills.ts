import { inParallel } from '../../core/async/in-parallel';
import { jobKeyOf, projectBackfillSortOf, jobRefOf, parseCompactInstant } from '../../core/contracts/tables';
import { type Execution, isRun } from '../../core/domain/execution';
import { ListBackfillsQuery } from '../../core/http/backfill';
import type { BackfillView } from '../../core/http/openapi/backfill';
import type { BackfillsPage, PlannedBackfill } from '../../core/store/backfill-store';
import { executionMapKey } from '../../core/store/execution-store';
import { findExecutions } from '../../core/store/read-whole';
import { instantText } from '../../core/clock/clock';
import { isTerminal } from '../../core/domain/transitions';
import { BACKFILL_TASK } from '../../core/domain/workflow/backfill';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import { isRetained, runView } from '../executions/execution-view';
import { mustHaveExisted } from '../executions/list-executions';
import { filteredPage, openCursor, pageView } from '../http/paging';
import { readQuery, requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { EXEC_ID } from '../executions/find-execution';
import { notFound } from '../http/problem';
import { optionalInstant, readTasks, taskView } from '../runs/task-view';
import { planView } from './plan-backfill';

/** Backfills whose progress is read at the same time. */
const CONCURRENCY = 10;
/** Bound on the backfills of which one request reads the runs. */
const MAX_ROWS = 500;

/** A list of backfills in the store, newest first. */
interface BackfillList {
  read(after: string | undefined, limit: number): Promise<BackfillsPage>;
  positionOf(planned: PlannedBackfill): string;
}

/** 200 with the backfills of a job, newest first; also of a deleted job. A page may be short. */
export async function listBackfills(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const jobKey = jobKeyOf(ref);
  const response = await listPage(request, deps, {
    read: (after, limit) => deps.backfills.list(jobKey, { after, limit }),
    positionOf: ({ execId }) => execId,
  });
  const isEmpty = response.body.items.length === 0;
  if (isEmpty && !(await deps.jobs.get(ref))) await mustHaveExisted(ref, deps);
  return response;
}

/** 200 with the backfills of all jobs of the project, newest first. A page may be short. */
export const listAllBackfills = (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> =>
  listPage(request, deps, {
    read: (after, limit) => deps.backfills.listOfProject(request.project, { after, limit }),
    positionOf: projectBackfillSortOf,
  });

interface FoundBackfill {
  planned: PlannedBackfill;
  run: Execution;
}

async function listPage(request: ApiRequest, deps: ApiDeps, { read, positionOf }: BackfillList) {
  const { cursor, limit, status } = readQuery(request, ListBackfillsQuery);
  const page = await filteredPage<FoundBackfill>({
    after: await openCursor(cursor, request, deps.secret),
    limit,
    maxRows: MAX_ROWS,
    read: async (after, wanted) => {
      const { backfills, nextAfter } = await read(after, wanted);
      return { rows: await withRuns(backfills, deps), nextAfter };
    },
    positionOf: ({ planned }) => positionOf(planned),
    keep: (rows) => (status === undefined ? rows : rows.filter(({ run }) => run.status === status)),
  });
  const views = new Map<FoundBackfill, BackfillView>();
  await inParallel(page.items, CONCURRENCY, async (found) => {
    views.set(found, await backfillView(found.run, found.planned, deps));
  });
  const show = {
    view: (found: FoundBackfill) => views.get(found)!,
    positionOf: ({ planned }: FoundBackfill) => positionOf(planned),
  };
  return { status: 200, body: await pageView(page, show, request, deps) };
}

/** One whose run was not written, or has expired, is left out. */
async function withRuns(backfills: readonly PlannedBackfill[], deps: ApiDeps): Promise<FoundBackfill[]> {
  if (backfills.length === 0) return [];
  const { executions } = await findExecutions(backfills, deps);
  const nowMs = deps.clock.nowMs();
  return backfills.flatMap((planned) => {
    const run = executions.get(executionMapKey(planned));
    return run?.backfill && isRetained(run, nowMs) ? [{ planned, run }] : [];
  });
}

/** 200 with a backfill and how far it is; also of a deleted job. */
export async function getBackfill(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { execId } = request.params;
  if (execId === undefined || !EXEC_ID.test(execId)) throw notFound('backfill');
  const ref = { jobKey: jobKeyOf(requestedJob(request)), execId };
  const [run, planned] = await Promise.all([deps.executions.get(ref), deps.backfills.get(ref)]);
  if (!run?.backfill || !planned || !isRetained(run, deps.clock.nowMs())) throw notFound('backfill');
  return { status: 200, body: await backfillView(run, planned, deps) };
}

/** A backfill, by the row of its run and by what was counted when it was asked for. */
export async function backfillView(
  run: Execution,
  planned: PlannedBackfill,
  deps: ApiDeps,
): Promise<BackfillView> {
  const { fromMs, toMs, count, parallel, ...asked } = run.backfill!;
  const state = run.run && runView(run, run.run);
  const given = run.hasParams ? await deps.runInputs.get(run) : undefined;
  return {
    jobId: jobRefOf(run.jobKey).jobId,
    execId: run.execId,
    status: run.status,
    reason: run.reason ?? null,
    phase: phaseOf(run),
    from: instantText(fromMs),
    to: instantText(toMs),
    ...asked,
    ...(given && { params: given.params }),
    ...planView({ count, parallel }, planned),
    items: await itemsOf(run, count, deps),
    taskId: BACKFILL_TASK,
    createdAt: instantText(parseCompactInstant(run.execId)),
    startedAt: state?.startedAt ?? null,
    finishedAt: optionalInstant(run.finishedAtMs),
    heldAt: state?.heldAt ?? null,
    by: run.userRequest?.by ?? null,
  };
}

/** A run that has ended and is about to start again has a state still. */
function phaseOf(run: Execution): BackfillView['phase'] {
  if (isTerminal(run.status)) return 'ended';
  return run.status === 'running' && run.run ? runView(run, run.run).phase : 'starting';
}

/** Before its dates are laid out, all of them wait. */
async function itemsOf(run: Execution, count: number, deps: ApiDeps): Promise<BackfillView['items']> {
  const none = { count, succeeded: 0, failed: 0, cancelled: 0, running: 0, waiting: count };
  if (!isRun(run)) return none;
  const found = { run, graph: await graphOfRun(run, deps) };
  const index = found.graph.indexOf.get(BACKFILL_TASK)!;
  return taskView(await readTasks(found, [index], deps), index).items ?? none;
}
