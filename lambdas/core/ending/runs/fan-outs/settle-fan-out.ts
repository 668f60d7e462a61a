import { inParallel } from '../../../async/in-parallel';
import type { StageDeps } from '../../../deps';
import type { Reason } from '../../../domain/reason';
import {
  type FanOutHead,
  isFull,
  type ItemMarks,
  itemsOfSegment,
  positionOf,
  segmentsIn,
  sizeOfSegment,
} from '../../../domain/workflow/fan-out';
import { segmentOf } from '../../../contracts/execution-keys';
import { markOf, type MarkedStatus } from '../../../domain/workflow/marks';
import type { ExecutionRef } from '../../../store/execution-store';
import { type EndOfOpen, endOpenTask, type Settled } from '../end-open-task';
import { putFanOutRow } from './end-fan-out';
import { type FanOutTask, fanOutExpiry, fanOutRef, itemRef } from './fan-out-task';
import { settleChild } from '../settle-child';
import { itemChildren, startsChildren } from './item-refs';
import { readOpenItems, openSegments, settleFull } from './open-items';

const CONCURRENCY = 10;

/**
 * Stops a fan-out: no further item begins, and those that were not begun are marked as cancelled. An item
 * that waits ends; one that runs goes on, or its cancellation is requested. Order of writes: the head, after
 * which no item is taken → the items → their marks.
 *
 * @returns `status` of the fan-out, if all of its items have ended. `stopChildren` stops those of `cancelled`
 *   at once, their rechecks otherwise
 */
export async function settleFanOut(
  task: FanOutTask,
  how: EndOfOpen & { stopped: Reason },
  deps: StageDeps,
): Promise<Settled> {
  const expiresAtSec = fanOutExpiry(task, deps);
  const at = { nowMs: deps.clock.nowMs(), expiresAtSec };
  const head = await deps.fanOuts.stop(fanOutRef(task), how.stopped, at);
  if (head.count === 0)
    return { status: await putFanOutRow(task, { status: 'cancelled', reason: head.stopped! }, deps) };
  const open = await readOpenItems(task, deps);
  if (!open) return {};
  const ended = new Map<number, ItemMarks>();
  const add = (item: number, status: MarkedStatus): void => {
    const mark = markOf(status, deps.clock.nowMs(), task.run.run);
    ended.set(segmentOf(item), { ...ended.get(segmentOf(item)), [positionOf(item)]: mark });
  };
  const children = startsChildren(task) && (await itemChildren(task, [...open.rows.keys()], deps));
  const allCancelled: ExecutionRef[] = [];
  await inParallel(open.rows.keys(), CONCURRENCY, async (item) => {
    const child = children && children.get(item);
    const { status, cancelled = [] }: Settled = child
      ? await settleChild(child, how, deps)
      : { status: await endOpenTask(task.run, itemRef(task, item), how, deps) };
    allCancelled.push(...cancelled);
    if (status) add(item, status);
  });
  for (const item of unbegunItems(open.head, open.marks)) add(item, 'cancelled');
  const full = new Map<number, ItemMarks>();
  for (const segment of openSegments(open.head)) {
    const marks = ended.get(segment);
    const after = marks
      ? (await deps.fanOuts.markItems(fanOutRef(task), segment, marks, expiresAtSec)).after
      : (open.marks.get(segment) ?? {});
    if (isFull(after, sizeOfSegment(head.count, segment))) full.set(segment, after);
  }
  const status = await settleFull(task, { head: open.head, marks: full }, deps);
  return { status, cancelled: allCancelled };
}

/** The items that will never begin: the head was stopped before they were taken. */
function unbegunItems({ count, next }: FanOutHead, marks: ReadonlyMap<number, ItemMarks>): number[] {
  return Array.from({ length: segmentsIn(count) }, (_, segment) => itemsOfSegment(count, segment))
    .flat()
    .filter((item) => item >= next && marks.get(segmentOf(item))?.[positionOf(item)] === undefined);
}
