import type { StageDeps } from '../../../deps';
import type { Execution } from '../../../domain/execution';
import {
  type FanOutHead,
  isFull,
  isWhole,
  type ItemMarks,
  itemsOfSegment,
  positionOf,
  segmentsIn,
  sizeOfSegment,
  sumOf,
} from '../../../domain/workflow/fan-out';
import { isPausedRun } from '../../../domain/workflow/progress';
import { segmentOf } from '../../../contracts/execution-keys';
import type { TerminalStatus } from '../../../domain/transitions';
import { executionMapKey } from '../../../store/execution-store';
import { isUnsent, resumeTask } from '../resend-task';
import { endFanOut } from './end-fan-out';
import { type FanOutTask, fanOutRef, forEachOf } from './fan-out-task';
import { beginItems } from './item-ends';
import { itemRefs, startsChildren } from './item-refs';
import { readExecutions } from '../../../store/read-whole';

/** What is open of a fan-out: its segments that are not full, and the items in them that may be at work. */
export interface OpenItems {
  head: FanOutHead;
  /** By segment, if it has no sum yet. */
  marks: ReadonlyMap<number, ItemMarks>;
  /** Items that may have been sent and have no mark, each with its row, if it has one. */
  rows: ReadonlyMap<number, Execution | undefined>;
}

/** Reads what is open of a fan-out. Undefined: it was not laid out. */
export async function readOpenItems(task: FanOutTask, deps: StageDeps): Promise<OpenItems | undefined> {
  const fanOut = fanOutRef(task);
  const head = await deps.fanOuts.getHead(fanOut);
  if (!head) return undefined;
  const segments = openSegments(head);
  const marks = await deps.fanOuts.getMarks(fanOut, segments);
  const open = segments
    .flatMap((segment) => itemsOfSegment(head.count, segment))
    .filter((item) => item < head.next && !isMarked(marks, item));
  return { head, marks, rows: await readItems(task, open, deps) };
}

export const openSegments = ({ count, sums }: FanOutHead): number[] =>
  Array.from({ length: segmentsIn(count) }, (_, segment) => segment).filter(
    (segment) => sums[segment] === undefined,
  );

const isMarked = (marks: ReadonlyMap<number, ItemMarks>, item: number): boolean =>
  marks.get(segmentOf(item))?.[positionOf(item)] !== undefined;

async function readItems(
  task: FanOutTask,
  items: readonly number[],
  deps: StageDeps,
): Promise<Map<number, Execution | undefined>> {
  if (items.length === 0) return new Map();
  const refs = await itemRefs(task, items, deps);
  const rows = await readExecutions([...refs.values()], deps);
  return new Map(
    items.map((item) => {
      const ref = refs.get(item);
      return [item, ref && rows.get(executionMapKey(ref))];
    }),
  );
}

/** How many items may begin: the room in the window that no open item takes. */
export function freeRoom(task: FanOutTask, { head, rows }: OpenItems): number {
  if (head.stopped || isPausedRun(task.run.run)) return 0;
  const { concurrency = head.count } = forEachOf(task);
  return Math.max(0, Math.min(concurrency - rows.size, head.count - head.next));
}

/** Fills the room in the window, if no item was begun since they were counted. @returns as `markItem` */
export async function refill(
  task: FanOutTask,
  open: OpenItems,
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  const items = freeRoom(task, open);
  if (items === 0) return undefined;
  const { count: ofCount, next: seenNext } = open.head;
  const take = { items, ofCount, seenNext, nowMs: deps.clock.nowMs() };
  const first = await deps.fanOuts.dispense(fanOutRef(task), take);
  if (first === undefined) return undefined;
  const taken = Array.from({ length: items }, (_, at) => first + at);
  return beginItems(
    task,
    taken.filter((item) => !isMarked(open.marks, item)),
    deps,
  );
}

/**
 * Does what the process that filled a segment, or the head, may have left undone.
 *
 * @returns as `markItem`
 */
export async function settleFull(
  task: FanOutTask,
  { head, marks }: Pick<OpenItems, 'head' | 'marks'>,
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  let current: FanOutHead | undefined = head;
  for (const [segment, ofSegment] of marks)
    if (current && isFull(ofSegment, sizeOfSegment(head.count, segment)))
      current = await deps.fanOuts.addSum(fanOutRef(task), segment, sumOf(ofSegment));
  return current && isWhole(current) ? endFanOut(task, current, deps) : undefined;
}

/** Sends the items that waited while their run was held, and fills the window. */
export async function resendItems(task: FanOutTask, deps: StageDeps): Promise<void> {
  const open = await readOpenItems(task, deps);
  if (!open) return;
  for (const row of startsChildren(task) ? [] : open.rows.values())
    if ((row?.status === 'retrying' || row?.status === 'queued') && isUnsent(row, deps.clock.nowMs(), 0))
      await resumeTask(row, task.run, deps);
  await refill(task, open, deps);
}
