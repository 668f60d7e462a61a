import { segmentOf } from '../../../contracts/execution-keys';
import type { StageDeps } from '../../../deps';
import { childRefOf, type ChildTask } from '../../../domain/workflow/children';
import { positionOf } from '../../../domain/workflow/fan-out';
import { taskExecId } from '../../../domain/workflow/task-id';
import type { ExecutionRef } from '../../../store/execution-store';
import { type FanOutTask, fanOutRef, itemRef } from './fan-out-task';
import { readSegments } from './read-segments';

/** Whether each item of a fan-out starts a child. */
export const startsChildren = ({ graph, index }: Pick<FanOutTask, 'graph' | 'index'>): boolean =>
  graph.tasks[index]!.task.job !== undefined;

/** The children of items, by the indexes of these. One whose row of items has expired is left out. */
export async function itemChildren(
  task: FanOutTask,
  items: readonly number[],
  deps: Pick<StageDeps, 'fanOuts'>,
): Promise<Map<number, ChildTask>> {
  const listed = await readSegments(fanOutRef(task), new Set(items.map(segmentOf)), deps);
  return new Map(
    items.flatMap((item): [number, ChildTask][] => {
      const value = listed.get(segmentOf(item))?.items[positionOf(item)];
      return value === undefined ? [] : [[item, { ...task, item: { index: item, value } }]];
    }),
  );
}

/**
 * The executions of items, by their indexes: their own, or those of their children.
 *
 * @param roundOf the earlier round in which an item has succeeded, if it has
 */
export async function itemRefs(
  task: FanOutTask,
  items: readonly number[],
  deps: Pick<StageDeps, 'fanOuts'>,
  roundOf: (item: number) => number | undefined = () => undefined,
): Promise<Map<number, ExecutionRef>> {
  // A child keeps its id for as long as its end counts.
  if (startsChildren(task)) {
    const children = await itemChildren(task, items, deps);
    return new Map([...children].map(([item, child]) => [item, childRefOf(child)]));
  }
  return new Map(items.map((item) => [item, refInRound(task, item, roundOf(item))]));
}

function refInRound(task: FanOutTask, item: number, round: number | undefined): ExecutionRef {
  if (round === undefined) return itemRef(task, item);
  const { run, graph, index } = task;
  const execId = taskExecId({ run: run.execId, task: graph.tasks[index]!.id, round, item });
  return { jobKey: run.jobKey, execId };
}
