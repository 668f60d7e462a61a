import { type ExecutionMessage, MESSAGE_VERSION } from '../../contracts/messages';
import type { Run } from '../../domain/execution';
import type { Graph } from '../../domain/workflow/graph';
import { roundOf } from '../../domain/workflow/marks';
import { sendLaneOf } from '../../domain/workflow/task-job';
import { taskExecId } from '../../domain/workflow/task-id';

/** The first message of a task, or of an item of its fan-out. */
export const taskMessage = (
  run: Run,
  graph: Graph,
  { index, item }: { index: number; item?: number },
  startAtMs: number,
): ExecutionMessage => ({
  v: MESSAGE_VERSION,
  jobKey: run.jobKey,
  execId: taskExecId({
    run: run.execId,
    task: graph.tasks[index]!.id,
    round: roundOf(run.run, index),
    ...(item !== undefined && { item }),
  }),
  dueAtMs: startAtMs,
  startAtMs,
  attempt: 1,
  trigger: 'task',
  revision: '',
  runEndsAtMs: run.run.endsAtMs,
  ...sendLaneOf(run.run, graph, index),
});
