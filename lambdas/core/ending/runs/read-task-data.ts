import { segmentOf } from '../../contracts/execution-keys';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import { childRefOf } from '../../domain/workflow/children';
import { isChild } from '../../domain/workflow/definition';
import { positionOf } from '../../domain/workflow/fan-out';
import type { Graph } from '../../domain/workflow/graph';
import { readsOf } from '../../domain/workflow/references';
import type { RunTask } from '../../domain/workflow/run-task';
import { type TaskData, taskData } from '../../domain/workflow/task-data';
import { executionMapKey, type ExecutionRef } from '../../store/execution-store';
import type { Json } from '../../templates/syntax';
import { taskRefIn } from './unstarted-task';
import { readExecutions } from '../../store/read-whole';

type ReadDeps = Pick<StageDeps, 'executions' | 'runInputs' | 'fanOuts'>;

/**
 * Reads what the templates of a task name: nothing, if they name nothing but the run.
 *
 * @param item the index of an item of its fan-out, for what that item delivers
 */
export async function readTaskData(task: RunTask, deps: ReadDeps, item?: number): Promise<TaskData> {
  const { run, graph, index } = task;
  const reads = readsOf(graph).of[index]!;
  const [rows, input, value] = await Promise.all([
    readTaskRows(run, graph, reads.tasks, deps),
    reads.params && run.hasParams ? deps.runInputs.get(run) : undefined,
    item === undefined ? undefined : readItem(taskRefIn(run, graph, index), item, deps),
  ]);
  const data = taskData(task, rows, input?.params);
  return item === undefined ? data : { ...data, item: { value: value!, index: item } };
}

async function readItem(fanOut: ExecutionRef, item: number, { fanOuts }: ReadDeps): Promise<Json> {
  const segment = await fanOuts.getItems(fanOut, segmentOf(item));
  const value = segment?.items[positionOf(item)];
  if (value === undefined) throw new Error(`the items of ${fanOut.execId} of ${fanOut.jobKey} are gone`);
  return value;
}

/** The rows of tasks in their present rounds, by their indexes. */
export async function readTaskRows(
  run: Run,
  graph: Graph,
  indexes: readonly number[],
  deps: Pick<ReadDeps, 'executions'>,
): Promise<Map<number, Execution>> {
  if (indexes.length === 0) return new Map();
  const refs = indexes.map((index) =>
    isChild(graph.tasks[index]!.task) ? childRefOf({ run, graph, index }) : taskRefIn(run, graph, index),
  );
  const rows = await readExecutions(refs, deps);
  return new Map(
    refs.flatMap((ref, at): [number, Execution][] => {
      const row = rows.get(executionMapKey(ref));
      return row ? [[indexes[at]!, row]] : [];
    }),
  );
}
