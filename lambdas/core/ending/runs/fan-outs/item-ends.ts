import { SECOND_MS } from '../../../clock/clock';
import { segmentOf } from '../../../contracts/execution-keys';
import type { StageDeps } from '../../../deps';
import type { TerminalStatus } from '../../../domain/transitions';
import {
  isFull,
  isWhole,
  type ItemEnd,
  positionOf,
  sizeOfSegment,
  stopsAfter,
  sumOf,
} from '../../../domain/workflow/fan-out';
import { keptRoundOf, markOf, timeOfMark } from '../../../domain/workflow/marks';
import { isPausedRun } from '../../../domain/workflow/progress';
import { recheckEntryNow } from '../../../queue/attempt-entries';
import { endFanOut } from './end-fan-out';
import { type FanOutTask, fanOutExpiry, fanOutRef, forEachOf } from './fan-out-task';
import { startsChildren } from './item-refs';
import { launchItems } from './launch-items';

/**
 * A process that takes longer from its mark to the next item leaves that to the run's recheck, which waits
 * longer than this. So both never take an item for the same end.
 */
const DISPENSE_WITHIN_MS = 5 * SECOND_MS;

/** Items that one call marks, at most. The entries of other children that ended at once mark them. */
const MOST_MARKED = 200;

/**
 * After the end of an item: marks it. The process that fills a segment writes its sum into the head, and
 * the one that fills the head ends the fan-out. With `concurrency`, the next item begins. Repeating it does
 * no harm: only the process that has made the mark takes an item for it.
 *
 * @returns the status of the fan-out, if all of its items have ended
 */
export const markItem = (
  task: FanOutTask,
  end: ItemEnd,
  deps: StageDeps,
): Promise<TerminalStatus | undefined> => markItems(task, [end], deps);

/** Begins items. Those that end by that are marked. @returns as `markItem` */
export const beginItems = async (
  task: FanOutTask,
  items: readonly number[],
  deps: StageDeps,
): Promise<TerminalStatus | undefined> => markItems(task, await launchItems(task, items, deps), deps);

async function markItems(
  task: FanOutTask,
  ends: readonly ItemEnd[],
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  const open = [...ends];
  for (let marked = 0; open.length > 0 && marked < MOST_MARKED; marked++) {
    const { status, ended } = await markOne(task, open.shift()!, deps);
    if (status) return status;
    open.push(...ended);
  }
  return undefined;
}

/** @returns `status` as `markItem`; `ended`: items that have begun in place of this one, and have ended */
async function markOne(
  task: FanOutTask,
  { item, status }: ItemEnd,
  deps: StageDeps,
): Promise<{ status?: TerminalStatus | undefined; ended: ItemEnd[] }> {
  const fanOut = fanOutRef(task);
  const segment = segmentOf(item);
  const listed = await deps.fanOuts.getItems(fanOut, segment);
  if (!listed) return { ended: [] }; // a row that outlived its run
  const sentAtMs = deps.clock.monotonicMs();
  const marks = { [positionOf(item)]: markOf(status, deps.clock.nowMs(), task.run.run) };
  const { before, after } = await deps.fanOuts.markItems(fanOut, segment, marks, fanOutExpiry(task, deps));
  const isOwn = before[positionOf(item)] === undefined;
  const isLate = deps.clock.monotonicMs() - sentAtMs > DISPENSE_WITHIN_MS;
  const mayGoOn = !stopsAfter(forEachOf(task), status);
  // Before the sum, after which a recheck no longer sees this mark.
  const ended = isOwn && !isLate && mayGoOn ? await dispenseNext(task, listed.count, deps) : [];
  if (!isOwn) await recheckGap(task, { count: listed.count, mark: before[positionOf(item)]! }, deps);
  if (!isFull(after, sizeOfSegment(listed.count, segment))) return { ended };
  const head = await deps.fanOuts.addSum(fanOut, segment, sumOf(after));
  return { ended, status: head && isWhole(head) ? await endFanOut(task, head, deps) : undefined };
}

/** Begins the next item in the place of one that has ended. */
async function dispenseNext(task: FanOutTask, ofCount: number, deps: StageDeps): Promise<ItemEnd[]> {
  if (!mayDispense(task, ofCount)) return [];
  const fanOut = fanOutRef(task);
  for (;;) {
    const next = await deps.fanOuts.dispense(fanOut, { items: 1, ofCount, nowMs: deps.clock.nowMs() });
    if (next === undefined) return [];
    if (await isKept(task, next, deps)) continue;
    return launchItems(task, [next], deps);
  }
}

/** Whether items wait for the ends of others. */
function mayDispense(task: FanOutTask, ofCount: number): boolean {
  const { concurrency = ofCount } = forEachOf(task);
  return concurrency < ofCount && !isPausedRun(task.run.run);
}

/**
 * A child's end is followed up more than once. If no item was begun since it was marked, the process that has
 * marked it may have died. While children run, the run itself is rechecked less and less often.
 */
async function recheckGap(
  task: FanOutTask,
  { count, mark }: { count: number; mark: string },
  deps: StageDeps,
): Promise<void> {
  if (!startsChildren(task) || !mayDispense(task, count)) return;
  const head = await deps.fanOuts.getHead(fanOutRef(task));
  if (!head || head.stopped || head.next >= count) return;
  if (head.movedAtMs >= timeOfMark(mark, task.run.run)) return;
  await deps.schedule.putEntries([await recheckEntryNow(task.run, deps)]);
}

/** Whether an item has succeeded in an earlier round, and does not run again. */
async function isKept(task: FanOutTask, item: number, deps: StageDeps): Promise<boolean> {
  if (keptRoundOf(task.run.run, task.index) === undefined) return false;
  const segment = segmentOf(item);
  const marks = await deps.fanOuts.getMarks(fanOutRef(task), [segment]);
  return marks.get(segment)?.[positionOf(item)] !== undefined;
}
