import type { StageDeps } from '../deps';
import type { Execution, Run } from '../domain/execution';
import { childRefOf } from '../domain/workflow/children';
import type { Graph } from '../domain/workflow/graph';
import { readsOf } from '../domain/workflow/references';
import { type TaskData, taskData } from '../domain/workflow/task-data';
import { IncompleteReadError } from '../errors';
import { executionMapKey } from '../store/execution-store';
import { taskRefIn } from './unstarted-task';

type ReadDeps = Pick<StageDeps, 'executions' | 'runInputs'>;

/** Reads what the templates of a task name: nothing, if they name nothing but the run. */
export async function readTaskData(
  task: { run: Run; graph: Graph; index: number },
  deps: ReadDeps,
): Promise<TaskData> {
  const { run, graph, index } = task;
  const reads = readsOf(graph).of[index]!;
  const [rows, input] = await Promise.all([
    readRows(run, graph, reads.tasks, deps),
    reads.params && run.hasParams ? deps.runInputs.get(run) : undefined,
  ]);
  return taskData(task, rows, input?.params);
}

async function readRows(
  run: Run,
  graph: Graph,
  indexes: readonly number[],
  { executions }: ReadDeps,
): Promise<Map<number, Execution>> {
  if (indexes.length === 0) return new Map();
  const refs = indexes.map((index) =>
    graph.tasks[index]!.task.job === undefined
      ? taskRefIn(run, graph, index)
      : childRefOf({ run, graph, index }),
  );
  const read = await executions.getMany(refs, { consistent: true });
  if (read.unread.size > 0) throw new IncompleteReadError('executions', read.unread.size);
  return new Map(
    refs.flatMap((ref, at): [number, Execution][] => {
      const row = read.executions.get(executionMapKey(ref));
      return row ? [[indexes[at]!, row]] : [];
    }),
  );
}
