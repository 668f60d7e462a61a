import type { StageDeps } from '../../deps';
import { type Execution, isRun, type ParentTask, type Run } from '../../domain/execution';
import type { TerminalStatus } from '../../domain/transitions';
import { childRefOf, hasEndedForRound, markOfChild } from '../../domain/workflow/children';
import { derive } from '../../domain/workflow/derive';
import { keyOfTask, roundOf } from '../../domain/workflow/marks';
import { isAlive } from '../../domain/workflow/task-eligibility';
import { taskRefOf } from '../../domain/workflow/task-id';
import type { Released } from '../../gates/gate';
import type { ExecutionRef } from '../../store/execution-store';
import { advanceRun } from './advance-run';
import type { FanOutTask } from './fan-outs/fan-out-task';
import { markItem } from './fan-outs/item-ends';
import { graphOfRun, markEnd } from './mark-task';

/**
 * After the end of a task: marks it in its run, and goes on with the run. A task of another round, or of a
 * run that has ended, is history. Repeating it does no harm.
 *
 * @param seen the run as the caller has read it; absent: it is read
 * @param cancelled gets children whose cancellation a stop has requested
 * @returns the run, if it has ended by this
 */
export async function runAfterTask(
  { jobKey, execId, status }: Pick<Released, 'jobKey' | 'execId' | 'status'>,
  seen: Run | undefined,
  cancelled: ExecutionRef[],
  deps: StageDeps,
): Promise<Execution | undefined> {
  const ref = taskRefOf(execId);
  if (!ref) throw new Error(`not the id of a task: ${execId}`);
  const run = seen ?? (await deps.executions.get({ jobKey, execId: ref.run }));
  if (!run || !isRun(run) || run.status !== 'running') return undefined;
  const graph = await graphOfRun(run, deps);
  const index = graph.indexOf.get(ref.task);
  if (index === undefined || roundOf(run.run, index) !== ref.round) return undefined;
  const ended = await endedTask(
    { run, graph, index },
    { item: ref.item, status: status as TerminalStatus },
    deps,
  );
  if (!ended) return undefined;
  const fresh = new Set<number>();
  const row = await markEnd({ run, graph, index, status: ended, fresh }, deps);
  return row && advanceRun(row, { fresh, by: 'other', cancelled }, deps);
}

/**
 * After the end of a child: marks its task in the run that waits for it, and goes on with that run. A child
 * that ended for an earlier round of its task is started again instead. Repeating it does no harm.
 *
 * @param cancelled gets children whose cancellation a stop has requested
 * @returns the run above, if it has ended by this
 */
export async function runAfterChild(
  child: Released & Partial<Pick<Execution, 'reason'>> & { parent: ParentTask },
  cancelled: ExecutionRef[],
  deps: StageDeps,
): Promise<Execution | undefined> {
  const run = await deps.executions.get(child.parent);
  if (!isAlive(run)) return undefined;
  const graph = await graphOfRun(run, deps);
  const index = graph.indexOf.get(child.parent.task);
  if (index === undefined || derive(graph, run.run).states[index] !== 'ready') return undefined;
  const task = { run, graph, index };
  const own = graph.tasks[index]!.task.job !== undefined && childRefOf(task);
  if (!own || own.jobKey !== child.jobKey || own.execId !== child.execId) return undefined;
  if (!hasEndedForRound(task, child))
    return advanceRun(run, { fresh: new Set([index]), by: 'other', cancelled }, deps);
  const fresh = new Set<number>();
  const row = await markEnd({ ...task, status: markOfChild(child), fresh }, deps);
  return row && advanceRun(row, { fresh, by: 'other', cancelled }, deps);
}

/** The status of the task; for an item, that of its fan-out. Undefined: that goes on, or is history. */
async function endedTask(
  task: FanOutTask,
  { item, status }: { item: number | undefined; status: TerminalStatus },
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  if (item === undefined) return status;
  if (task.run.run.marks[keyOfTask(task.index)] !== undefined) return undefined;
  return markItem(task, { item, status }, deps);
}
