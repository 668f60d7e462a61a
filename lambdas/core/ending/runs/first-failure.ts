import type { StageDeps } from '../../deps';
import type { FailedTask, Run } from '../../domain/execution';
import { failedTaskOf } from '../../domain/fingerprint';
import type { Derivation } from '../../domain/workflow/derive';
import type { Graph } from '../../domain/workflow/graph';
import { keyOfTask, timeOfMark } from '../../domain/workflow/marks';
import { readTaskRows } from './read-task-data';

/** The task that failed first, read so that its run has its cause. It may have no row, as a fan-out. */
export async function firstFailure(
  run: Run,
  graph: Graph,
  { failed }: Pick<Derivation, 'failed'>,
  deps: Pick<StageDeps, 'executions'>,
): Promise<FailedTask | undefined> {
  const endedAtMs = (index: number) => timeOfMark(run.run.marks[keyOfTask(index)]!, run.run);
  const [first] = failed.toSorted((a, b) => endedAtMs(a) - endedAtMs(b));
  if (first === undefined) return undefined;
  const rows = await readTaskRows(run, graph, [first], deps);
  return failedTaskOf(graph.tasks[first]!.id, rows.get(first));
}
