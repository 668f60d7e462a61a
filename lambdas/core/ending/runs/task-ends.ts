import type { StageDeps } from '../../deps';
import type { Execution, ParentTask, Run } from '../../domain/execution';
import type { TerminalStatus } from '../../domain/transitions';
import { childRefOf, type ChildTask, hasEndedForRound, markOfChild } from '../../domain/workflow/children';
import { derive } from '../../domain/workflow/derive';
import { type ItemEnd, stopsAfter } from '../../domain/workflow/fan-out';
import { keyOfTask, type MarkedStatus, roundOf } from '../../domain/workflow/marks';
import { isAlive } from '../../domain/workflow/task-eligibility';
import { taskRefOf } from '../../domain/workflow/task-id';
import type { Released } from '../../gates/gate';
import type { ExecutionRef } from '../../store/execution-store';
import { advanceRun } from './advance-run';
import { type FanOutTask, forEachOf } from './fan-outs/fan-out-task';
import { markItem } from './fan-outs/item-ends';
import { itemChildren } from './fan-outs/item-refs';
import { settleFanOut } from './fan-outs/settle-fan-out';
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
  if (!isAlive(run)) return undefined;
  const graph = await graphOfRun(run, deps);
  const index = graph.indexOf.get(ref.task);
  if (index === undefined || roundOf(run.run, index) !== ref.round) return undefined;
  const ended = await endedTask(
    { run, graph, index },
    { item: ref.item, status: status as TerminalStatus },
    deps,
  );
  if (!ended) return undefined;
  return markAndAdvance({ run, graph, index, status: ended }, cancelled, deps);
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
  const task = await childTaskOf({ run, graph, index }, child.parent, deps);
  const own = task && childRefOf(task);
  if (!own || own.jobKey !== child.jobKey || own.execId !== child.execId) return undefined;
  if (task.item) return runAfterItem(task, child, cancelled, deps);
  if (!hasEndedForRound(task, child))
    return advanceRun(run, { fresh: new Set([index]), by: 'other', cancelled }, deps);
  return markAndAdvance({ ...task, status: markOfChild(child) }, cancelled, deps);
}

/** Undefined: another version of the workflow has made the task another one. */
async function childTaskOf(
  task: FanOutTask,
  { item }: ParentTask,
  deps: StageDeps,
): Promise<ChildTask | undefined> {
  const { job, forEach } = task.graph.tasks[task.index]!.task;
  if (job === undefined || (forEach !== undefined) !== (item !== undefined)) return undefined;
  return item === undefined ? task : (await itemChildren(task, [item], deps)).get(item);
}

/**
 * The end of an item's child. One that ended for an earlier round is started again, or is marked, when the
 * item begins.
 */
async function runAfterItem(
  task: ChildTask,
  child: Pick<Execution, 'status' | 'reason' | 'parent'>,
  cancelled: ExecutionRef[],
  deps: StageDeps,
): Promise<Execution | undefined> {
  if ((child.parent?.round ?? 0) < roundOf(task.run.run, task.index)) return undefined;
  const status = await itemEnded(task, { item: task.item!.index, status: markOfChild(child) }, deps);
  return status && markAndAdvance({ ...task, status }, cancelled, deps);
}

async function markAndAdvance(
  ended: FanOutTask & { status: MarkedStatus },
  cancelled: ExecutionRef[],
  deps: StageDeps,
): Promise<Execution | undefined> {
  const fresh = new Set<number>();
  const row = await markEnd({ ...ended, fresh }, deps);
  return row && advanceRun(row, { fresh, by: 'other', cancelled }, deps);
}

/** Marks an item, and begins the next one or none. @returns as `markItem` */
async function itemEnded(
  task: FanOutTask,
  end: ItemEnd,
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  const status = await markItem(task, end, deps);
  if (status || !stopsAfter(forEachOf(task), end.status)) return status;
  return settleFanOut(task, { stopped: 'items-failed' }, deps);
}

/** The status of the task; for an item, that of its fan-out. Undefined: that goes on, or is history. */
async function endedTask(
  task: FanOutTask,
  { item, status }: { item: number | undefined; status: TerminalStatus },
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  if (item === undefined) return status;
  if (task.run.run.marks[keyOfTask(task.index)] !== undefined) return undefined;
  return itemEnded(task, { item, status }, deps);
}
