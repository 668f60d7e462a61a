import { Metric } from '../contracts/metrics';
import { runValues } from '../delivery/job-templates/run-values';
import type { StageDeps } from '../deps';
import type { Run } from '../domain/execution';
import type { Job } from '../domain/job';
import { isTerminal } from '../domain/transitions';
import { branchTaken, holds } from '../domain/workflow/conditions';
import { isInline } from '../domain/workflow/definition';
import type { Graph } from '../domain/workflow/graph';
import type { MarkedStatus } from '../domain/workflow/marks';
import { Renderer } from '../templates/render';
import { TemplateError } from '../templates/template-error';
import { putEndedRow } from './end-row';
import { timeOf } from '../domain/workflow/task-times';
import { readTaskData } from './read-task-data';
import { taskRefIn, unstartedTask } from './unstarted-task';

/**
 * What becomes of a ready task. `startAtMs`: it is sent, and starts then, or now if that is past. Undefined:
 * another process has decided otherwise.
 */
export type Decision = { startAtMs: number } | { status: MarkedStatus; branch?: number } | undefined;

/**
 * Decides on a ready task by its `when`, its `switch` and its `notBefore`. All processes decide alike: by
 * what the run was given and by what the tasks before it have left. If a template cannot be rendered, the
 * task fails with a row that says why.
 */
export async function decideTask(
  task: { run: Run; graph: Graph; index: number },
  job: Job,
  deps: StageDeps,
): Promise<Decision> {
  const { run, graph, index } = task;
  const definition = graph.tasks[index]!.task;
  const data = await readTaskData(task, deps);
  const values = runValues(run, job, data);
  const renderer = new Renderer(values);
  try {
    if (definition.when && !holds(definition.when, renderer)) return { status: 'excluded' };
    if (definition.switch) return { status: 'succeeded', branch: branchTaken(definition.switch, renderer) };
    if (isInline(definition)) return { status: 'succeeded' };
    const { notBefore } = definition;
    return { startAtMs: notBefore === undefined ? 0 : timeOf(renderer.text(notBefore), run, values.zone) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return fail(task, error.message, deps);
  }
}

async function fail(
  { run, graph, index }: { run: Run; graph: Graph; index: number },
  fault: string,
  deps: StageDeps,
): Promise<Decision> {
  const ref = taskRefIn(run, graph, index);
  const end = { status: 'failed', reason: 'bad-input', result: { body: fault } } as const;
  if (await putEndedRow(unstartedTask(run, ref.execId, end, deps), 'other', deps)) {
    deps.meter.count(Metric.tasksFailed);
    return { status: 'failed' };
  }
  const row = await deps.executions.get(ref);
  return row && isTerminal(row.status) ? { status: row.status } : undefined;
}
