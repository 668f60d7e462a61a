import { isRun, type Run } from '../../core/domain/execution';
import type { Graph, GraphTask } from '../../core/domain/workflow/graph';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import { findExecution } from '../executions/find-execution';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest } from '../request';

export type FoundTask = FoundRun & { task: GraphTask };

export interface FoundRun {
  run: Run;
  graph: Graph;
}

/** The run that the path names. Throws `ProblemError` 404, also for an execution that is none. */
export async function findRun(request: ApiRequest, deps: ApiDeps): Promise<FoundRun> {
  const { stored, execution } = await findExecution(request, deps);
  if (!stored || !isRun(execution)) throw notFound('run');
  return { run: execution, graph: await graphOfRun(execution, deps) };
}

/** The run and the task that the path names. Throws `ProblemError` 404. */
export async function findTask(request: ApiRequest, deps: ApiDeps): Promise<FoundTask> {
  const found = await findRun(request, deps);
  const index = found.graph.indexOf.get(request.params.taskId ?? '');
  if (index === undefined) throw notFound('task');
  return { ...found, task: found.graph.tasks[index]! };
}
