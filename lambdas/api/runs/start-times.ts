import { runValues } from '../../core/delivery/job-templates/run-values';
import { jobRefOf } from '../../core/contracts/tables';
import type { Job } from '../../core/domain/job';
import { isAlarmed } from '../../core/domain/workflow/definition';
import type { RunTask } from '../../core/domain/workflow/run-task';
import { beginOfTask, notBeforeMsOf } from '../../core/domain/workflow/task-times';
import { readTaskData } from '../../core/ending/runs/read-task-data';
import { Renderer } from '../../core/templates/render';
import { TemplateError } from '../../core/templates/template-error';
import type { ApiDeps } from '../request';
import type { FoundRun } from './find-run';

/**
 * When tasks begin that wait for their times and have no row, by their indexes. Left out: those whose time
 * has come, or cannot be told.
 *
 * @param indexes ready tasks that have not begun
 */
export async function readStarts(
  { run, graph }: FoundRun,
  indexes: readonly number[],
  deps: ApiDeps,
): Promise<Map<number, number>> {
  const waiting = indexes.filter((index) => isAlarmed(graph.tasks[index]!.task));
  const job = waiting.length > 0 ? await deps.jobs.get(jobRefOf(run.jobKey)) : undefined;
  if (!job) return new Map();
  const nowMs = deps.clock.nowMs();
  const starts = await Promise.all(
    waiting.map(async (index): Promise<[number, number][]> => {
      const atMs = await startOf({ run, graph, index }, job, deps);
      return atMs !== undefined && atMs > nowMs ? [[index, atMs]] : [];
    }),
  );
  return new Map(starts.flat());
}

async function startOf(task: RunTask, job: Job, deps: ApiDeps): Promise<number | undefined> {
  const { run, graph, index } = task;
  const view = { run: run.run, graph };
  if (graph.tasks[index]!.task.notBefore === undefined) return beginOfTask(view, index, 0);
  try {
    const values = runValues(run, job, await readTaskData(task, deps));
    return beginOfTask(view, index, notBeforeMsOf(task, new Renderer(values), values.zone));
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}
