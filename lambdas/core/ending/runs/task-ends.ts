import type { StageDeps } from '../../deps';
import type { EndedRow } from '../../domain/ended';
import type { Execution, ParentTask, Run } from '../../domain/execution';
import type { TerminalStatus } from '../../domain/transitions';
import { childRefOf, type ChildTask, hasEndedForRound, markOfChild } from '../../domain/workflow/children';
import { derive } from '../../domain/workflow/derive';
import { type ItemEnd, stopsAfter } from '../../domain/workflow/fan-out';
import { keyOfTask, type MarkedStatus, roundOf } from '../../domain/workflow/marks';
import { isAlive } from '../../domain/workflow/task-eligibility';
import { taskRefOf } from '../../domain/workflow/task-id';
import type { Released } from '../../gates/gate';
import { type FanOutTask, forEachOf } from './fan-outs/fan-out-task';
import { markItem } from './fan-outs/item-ends';
import { itemChildren } from './fan-outs/item-refs';
import { settleFanOut } from './fan-outs/settle-fan-out';
import { goOnWithRun } from './go-on-with-run';
import { graphOfRun, markTask, type TaskEnd } from './mark-task';

/**
 * After the end of a task: marks it in its run, and goes on with the run. A task of another round, or of a
 * run that has ended, is history. Repeating it does no harm. Throws if a store does not respond.
 *
 * @param seen the run as the caller has read it; absent: it is read
 */
export async function afterTask(
  { jobKey, execId, status }: EndedRow,
  seen: Run | undefined,
  deps: StageDeps,
): Promise<void> {
  const ref = taskRefOf(execId);
  if (!ref) throw new Error(`not the id of a task: ${execId}`);
  const run = seen ?? (await deps.executions.get({ jobKey, execId: ref.run }));
  if (!isAlive(run)) return;
  const graph = await graphOfRun(run, deps);
  const index = graph.indexOf.get(ref.task);
  if (index === undefined || roundOf(run.run, index) !== ref.round) return;
  const task = { run, graph, index };
  const ended = status as TerminalStatus;
  if (ref.item === undefined) await markAndGoOn({ ...task, status: ended }, deps);
  else if (run.run.marks[keyOfTask(index)] === undefined)
    await afterItem(task, { item: ref.item, status: ended }, deps);
}

/**
 * After the end of a child: marks its task in the run that waits for it, and goes on with that run. A child
 * that ended for an earlier round of its task is started again instead. Repeating it does no harm.
 */
export async function afterChild(
  child: Released & Partial<Pick<Execution, 'reason'>> & { parent: ParentTask },
  deps: StageDeps,
): Promise<void> {
  const run = await deps.executions.get(child.parent);
  if (!isAlive(run)) return;
  const graph = await graphOfRun(run, deps);
  const index = graph.indexOf.get(child.parent.task);
  if (index === undefined || derive(graph, run.run).states[index] !== 'ready') return;
  const task = await childTaskOf({ run, graph, index }, child.parent, deps);
  const own = task && childRefOf(task);
  if (!own || own.jobKey !== child.jobKey || own.execId !== child.execId) return;
  const status = markOfChild(child);
  if (!task.item && hasEndedForRound(task, child)) await markAndGoOn({ ...task, status }, deps);
  else if (!task.item) await goOnWithRun(run, { fresh: new Set([index]), by: 'other' }, deps);
  // An item whose child ended for an earlier round starts it again, or is marked, when it begins.
  else if ((child.parent.round ?? 0) >= roundOf(run.run, index))
    await afterItem(task, { item: task.item.index, status }, deps);
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

/** Marks an item, and begins the next one or none. If all have ended by that, so has their task. */
async function afterItem(task: FanOutTask, end: ItemEnd, deps: StageDeps): Promise<void> {
  const status = (await markItem(task, end, deps)) ?? (await stopAfter(task, end, deps));
  if (status) await markAndGoOn({ ...task, status }, deps);
}

/** The status of a fan-out that an item has stopped, if all of its items have ended. */
async function stopAfter(
  task: FanOutTask,
  { status }: ItemEnd,
  deps: StageDeps,
): Promise<MarkedStatus | undefined> {
  if (!stopsAfter(forEachOf(task), status)) return undefined;
  return (await settleFanOut(task, { stopped: 'items-failed' }, deps)).status;
}

/**
 * Writes the mark of a task, and goes on with its run: for a caller that has nothing else to do in it. If
 * several marks are one write, one of their callers goes on.
 */
export async function markAndGoOn(end: TaskEnd, deps: StageDeps): Promise<void> {
  const { row, ready, goesOn } = await markTask(end, deps);
  if (goesOn && isAlive(row)) await goOnWithRun(row, { fresh: new Set(ready), by: 'other' }, deps);
}
