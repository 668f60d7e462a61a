import { instantText } from '../../core/clock/clock';
import type { TaskDetailView } from '../../core/http/workflow-answers';
import { askUpstream } from '../../core/ending/runs/await-upstream';
import { readTaskData } from '../../core/ending/runs/read-task-data';
import { runValues } from '../../core/delivery/job-templates/run-values';
import { jobRefOf } from '../../core/contracts/tables';
import { TemplateError } from '../../core/templates/template-error';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { type FoundTask, findTask } from './find-run';
import { readTasks, taskDetailView } from './task-view';

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
