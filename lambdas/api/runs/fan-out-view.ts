import type { TaskView } from '../../core/http/openapi/workflow-answers';
import { isFanOut } from '../../core/domain/workflow/definition';
import { countsOf, type FanOutHead, type ItemMarks } from '../../core/domain/workflow/fan-out';
import type { ItemCounts } from '../../core/domain/workflow/run-state';
import { openSegments } from '../../core/ending/runs/fan-outs/open-items';
import { taskRefIn } from '../../core/ending/runs/unstarted-task';
import type { ApiDeps } from '../request';
import type { FoundRun } from './find-run';

/** How far an open fan-out is: its head, and the marks of its segments that are not full. */
export interface SeenFanOut {
  head: FanOutHead;
  marks: ReadonlyMap<number, ItemMarks>;
}

/** Reads the fan-outs among these tasks, by their indexes. One that was not laid out is left out. */
export async function readFanOuts(
  { run, graph }: FoundRun,
  indexes: readonly number[],
  { fanOuts }: Pick<ApiDeps, 'fanOuts'>,
): Promise<Map<number, SeenFanOut>> {
  const open = indexes.filter((index) => isFanOut(graph.tasks[index]!.task));
  const seen = await Promise.all(
    open.map(async (index): Promise<[number, SeenFanOut][]> => {
      const ref = taskRefIn(run, graph, index);
      const head = await fanOuts.getHead(ref);
      return head ? [[index, { head, marks: await fanOuts.getMarks(ref, openSegments(head)) }]] : [];
    }),
  );
  return new Map(seen.flat());
}

/** How many of an open fan-out's items have ended. */
export const endedItemsOf = (seen: SeenFanOut): number => {
  const { succeeded, failed, cancelled } = countsOf(seen.head, [...seen.marks.values()]);
  return succeeded + failed + cancelled;
};

/** The counts of a fan-out's items: those of its row once it has ended. */
export function itemsView(
  ended: ItemCounts | undefined,
  seen: SeenFanOut | undefined,
): NonNullable<TaskView['items']> | null {
  if (ended) return { ...ended, running: 0, waiting: 0 };
  if (!seen) return null;
  const counts = countsOf(seen.head, [...seen.marks.values()]);
  const open = counts.count - endedItemsOf(seen);
  const waiting = Math.min(open, counts.count - Math.min(seen.head.next, counts.count));
  return { ...counts, running: open - waiting, waiting };
}
