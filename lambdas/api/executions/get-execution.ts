import { withMergedSkips } from './merge-skipped-ranges';
import { executionView } from './execution-view';
import { findReadable } from './find-execution';
import { isRun } from '../../core/domain/execution';
import { paramsOf } from '../../core/domain/workflow/params';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import { countsOf, failedTasksOf } from '../runs/task-view';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200 with one execution and its attempts. A run comes with the counts of its tasks. A planned execution that
 * has no row yet is found too.
 */
export async function getExecution(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const found = await findReadable(request, deps);
  const execution = found.stored ? await withMergedSkips(found.execution, deps) : found.execution;
  const body = executionView(execution);
  if (!found.stored || !isRun(found.execution)) return { status: 200, body };
  const run = found.execution;
  const graph = await graphOfRun(run, deps);
  const [counts, given] = await Promise.all([
    countsOf({ run, graph }, deps),
    run.hasParams ? deps.runInputs.get(run) : undefined,
  ]);
  const params = graph.workflow.params && paramsOf(graph.workflow, given?.params);
  const output = run.output === undefined ? undefined : { value: JSON.parse(run.output) as unknown };
  const details = {
    counts,
    failedTasks: failedTasksOf(graph, run),
    ...(params && { params }),
    ...(output && { output: output.value }),
  };
  return { status: 200, body: { ...body, workflow: { ...body.workflow, ...details } } };
}
