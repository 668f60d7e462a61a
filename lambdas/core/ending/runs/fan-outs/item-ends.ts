import { SECOND_MS } from '../../../clock/clock';
import { segmentOf } from '../../../contracts/execution-keys';
import type { StageDeps } from '../../../deps';
import type { TerminalStatus } from '../../../domain/transitions';
import { isFull, isWhole, positionOf, sizeOfSegment, sumOf } from '../../../domain/workflow/fan-out';
import { keptRoundOf, markOf } from '../../../domain/workflow/marks';
import { isPausedRun } from '../../../domain/workflow/progress';
import { endFanOut } from './end-fan-out';
import { type FanOutTask, fanOutExpiry, fanOutRef, forEachOf } from './fan-out-task';
import { launchItems } from './launch-items';

/**
 * A process that takes longer from its mark to the next item leaves that to the run's recheck, which waits
 * longer than this. So both never take an item for the same end.
 */
const DISPENSE_WITHIN_MS = 5 * SECOND_MS;

/**
 * After the end of an item: marks it. The process that fills a segment writes its sum into the head, and
 * the one that fills the head ends the fan-out. With `concurrency`, the next item begins. Repeating it does
 * no harm: only the process that has made the mark takes an item for it.
 *
 * @returns the status of the fan-out, if all of its items have ended
 */
export async function markItem(
  task: FanOutTask,
  { item, status }: { item: number; status: TerminalStatus },
  deps: StageDeps,
): Promise<TerminalStatus | undefined> {
  const fanOut = fanOutRef(task);
  const segment = segmentOf(item);
  const listed = await deps.fanOuts.getItems(fanOut, segment);
  if (!listed) return undefined; // a row that outlived its run
  const sentAtMs = deps.clock.monotonicMs();
  const marks = { [positionOf(item)]: markOf(status, deps.clock.nowMs(), task.run.run) };
  const { before, after } = await deps.fanOuts.markItems(fanOut, segment, marks, fanOutExpiry(task, deps));
  const isOwn = before[positionOf(item)] === undefined;
  const isLate = deps.clock.monotonicMs() - sentAtMs > DISPENSE_WITHIN_MS;
  // Before the sum, after which a recheck no longer sees this mark.
  if (isOwn && !isLate) await dispenseNext(task, listed.count, deps);
  if (!isFull(after, sizeOfSegment(listed.count, segment))) return undefined;
  const head = await deps.fanOuts.addSum(fanOut, segment, sumOf(after));
  return head && isWhole(head) ? endFanOut(task, head, deps) : undefined;
}

/** Begins the next item in the place of one that has ended. */
async function dispenseNext(task: FanOutTask, ofCount: number, deps: StageDeps): Promise<void> {
  const { concurrency } = forEachOf(task);
  if (concurrency === undefined || concurrency >= ofCount || isPausedRun(task.run.run)) return;
  const fanOut = fanOutRef(task);
  for (;;) {
    const next = await deps.fanOuts.dispense(fanOut, { items: 1, ofCount, nowMs: deps.clock.nowMs() });
    if (next === undefined) return;
    if (await isKept(task, next, deps)) continue;
    return launchItems(task, [next], deps);
  }
}

/** Whether an item has succeeded in an earlier round, and does not run again. */
async function isKept(task: FanOutTask, item: number, deps: StageDeps): Promise<boolean> {
  if (keptRoundOf(task.run.run, task.index) === undefined) return false;
  const segment = segmentOf(item);
  const marks = await deps.fanOuts.getMarks(fanOutRef(task), [segment]);
  return marks.get(segment)?.[positionOf(item)] !== undefined;
}
