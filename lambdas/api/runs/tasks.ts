import { derive } from '../../core/domain/workflow/derive';
import { ListTasksQuery } from '../../core/http/workflow-queries';
import { instantText } from '../../core/clock/clock';
import type { TaskDetailView } from '../../core/http/openapi/workflow-answers';
import { askUpstream } from '../../core/ending/runs/await-upstream';
import { readTaskData } from '../../core/ending/runs/read-task-data';
import { runValues } from '../../core/delivery/job-templates/run-values';
import { jobRefOf } from '../../core/contracts/tables';
import { TemplateError } from '../../core/templates/template-error';
import { isKnown } from '../http/etag';
import { openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { endedItemsOf, readFanOuts } from './fan-out-view';
import { findRun, type FoundRun, type FoundTask, findTask } from './find-run';
import { readTasks, statusOf, taskView, taskDetailView } from './task-view';

/**
 * 200 with the tasks of a run, each after all that it depends on; those that never ran are derived. The ETag
 * changes with everything that happens in the run, its items included: 304 if the request has it.
 */
export async function listTasks(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListTasksQuery);
  const after = await openCursor(query.cursor, request, deps.secret);
  const found = await findRun(request, deps);
  const { order } = found.graph;
  const etag = `"${found.run.run.moves}-${found.run.status}${await movesOfItems(found, deps)}"`;
  if (isKnown(request, etag)) return { status: 304, headers: { etag } };
  const from = after === undefined ? 0 : Number(after) + 1;
  const tasks = await readTasks(found, order.slice(from), deps);
  const passing = order
    .map((index, position) => ({ index, position }))
    .slice(from)
    .filter(({ index }) => query.status === undefined || statusOf(tasks, index) === query.status);
  const items = passing.slice(0, query.limit);
  const last = passing.length > query.limit ? items.at(-1) : undefined;
  const page = { items, ...(last && { nextAfter: String(last.position) }) };
  const view = ({ index }: (typeof items)[number]) => taskView(tasks, index);
  const positionOf = ({ position }: (typeof items)[number]) => String(position);
  return { status: 200, headers: { etag }, body: await pageView(page, { view, positionOf }, request, deps) };
}

/** What changes with each item of an open fan-out that begins or ends. Empty if there is none. */
async function movesOfItems(found: FoundRun, deps: ApiDeps): Promise<string> {
  const { states } = derive(found.graph, found.run.run);
  const ready = found.graph.order.filter((index) => states[index] === 'ready');
  const open = await readFanOuts(found, ready, deps);
  return [...open].map(([index, seen]) => `-${index}.${seen.head.next}.${endedItemsOf(seen)}`).join('');
}

const SHOWN_OCCURRENCES = 100;

/** 200 with one task of a run and its attempts; and what another job has done for which it waits. */
export async function getTask(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const found = await findTask(request, deps);
  const { index } = found.task;
  const tasks = await readTasks(found, [index], deps);
  const detail = taskDetailView(tasks, index);
  const awaited = detail.reason === 'awaiting' ? await awaitedView(found, deps) : undefined;
  return { status: 200, body: { ...detail, ...(awaited && { awaited }) } };
}

/** Undefined if the window cannot be told. */
async function awaitedView(
  { run, graph, task: { index, task } }: FoundTask,
  deps: ApiDeps,
): Promise<TaskDetailView['awaited']> {
  const job = await deps.jobs.get(jobRefOf(run.jobKey));
  if (!job) return undefined;
  try {
    const asking = { run, graph, index };
    const values = runValues(run, job, await readTaskData(asking, deps));
    const { window, awaited } = await askUpstream(asking, values, deps);
    const shown = awaited?.occurrences.slice(-SHOWN_OCCURRENCES) ?? [];
    return {
      jobId: task.await!.job,
      from: instantText(window.fromMs),
      to: instantText(window.toMs),
      occurrences: shown.map(({ dueAtMs, execution }) => ({
        dueAt: instantText(dueAtMs),
        execId: execution?.execId ?? null,
        status: execution?.status ?? null,
      })),
    };
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}
