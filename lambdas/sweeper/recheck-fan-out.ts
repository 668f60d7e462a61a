import { SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import type { Execution } from '../core/domain/execution';
import { isTerminal } from '../core/domain/transitions';
import { hasEndedForRound, markOfChild } from '../core/domain/workflow/children';
import { countsOf, stopsAfter } from '../core/domain/workflow/fan-out';
import { isAlarmed } from '../core/domain/workflow/definition';
import { timeOfMark } from '../core/domain/workflow/marks';
import { callable, isPausedRun, readySinceMs } from '../core/domain/workflow/progress';
import { derive } from '../core/domain/workflow/derive';
import { type FanOutTask, fanOutRef, forEachOf } from '../core/ending/runs/fan-outs/fan-out-task';
import { beginItems, markItem } from '../core/ending/runs/fan-outs/item-ends';
import { startsChildren } from '../core/ending/runs/fan-outs/item-refs';
import { launchItems } from '../core/ending/runs/fan-outs/launch-items';
import {
  freeRoom,
  type OpenItems,
  readOpenItems,
  refill,
  settleFull,
} from '../core/ending/runs/fan-outs/open-items';
import { settleFanOut } from '../core/ending/runs/fan-outs/settle-fan-out';
import { repeatEnd } from '../core/ending/end-execution';

/**
 * What the recheck of one open task finds. `working`: a process is at work on it, or is to be. `asks`: it
 * waits for another job, or for its time.
 */
export type Found = 'working' | 'waiting' | 'unsent' | 'asks';

/** A process that ends an item begins the next one within less than this. */
const DISPENSED_WITHIN_MS = 15 * SECOND_MS;

/** What the recheck of a run knows to do with one of its tasks, or items. */
export interface ItemRechecks {
  /** Rechecks one that has a row. */
  ofRow(row: Execution): Promise<Found>;
  /** Whether one that was sent then, and has no row, is sent again. */
  isLost(sentAtMs: number): Promise<boolean>;
}

/**
 * Rechecks a fan-out that is open. `unsent`: it was not laid out. Items that may be at work are rechecked,
 * and those without a row are sent. Items begin where the window has room. Missing sums and ends are
 * written.
 */
export async function recheckFanOut(
  task: FanOutTask,
  rechecks: ItemRechecks,
  deps: StageDeps,
): Promise<Found> {
  const { run, graph, index } = task;
  const nowMs = deps.clock.nowMs();
  const open = await readOpenItems(task, deps);
  if (!open && isAlarmed(graph.tasks[index]!.task)) return 'asks';
  if (!open) {
    const view = { run: run.run, graph };
    const isDue = callable(view, derive(graph, run.run)).includes(index);
    return isDue && nowMs - readySinceMs(view, index) >= DISPENSED_WITHIN_MS ? 'unsent' : 'working';
  }
  if (!run.run.stop && (await settleStopped(task, open, deps))) return 'working';
  const isWorking = startsChildren(task)
    ? await recheckChildren(task, open, deps)
    : await recheckItems(open, rechecks);
  const lost = await lostItems(task, open, rechecks);
  if (lost.length > 0) {
    deps.meter.count(Metric.resent, lost.length);
    deps.meter.count(Metric.runsRepaired, lost.length);
    await launchItems(task, lost, deps);
  }
  const mayRefill = freeRoom(task, open) > 0;
  if (mayRefill && nowMs - lastMoveMs(task, open) >= DISPENSED_WITHIN_MS) await refill(task, open, deps);
  if (await settleFull(task, open, deps)) await repeatEndOf(task, deps);
  const hasUnclaimed = [...open.rows.values()].includes(undefined);
  return isWorking || hasUnclaimed || mayRefill || open.rows.size === 0 ? 'working' : 'waiting';
}

/**
 * Settles a fan-out that no further item of begins: a user has cancelled it, or an item has failed that was
 * to be the last. What a stop of the run has left is settled by that. @returns whether this has stopped it
 */
async function settleStopped(task: FanOutTask, { head, marks }: OpenItems, deps: StageDeps) {
  const { failed, cancelled } = countsOf(head, [...marks.values()]);
  const hasFailed = failed + cancelled > 0 && stopsAfter(forEachOf(task), 'failed');
  const stopped = head.stopped ?? (hasFailed ? 'items-failed' : undefined);
  if (!stopped) return false;
  const cancels = stopped === 'items-failed' ? {} : { cancels: stopped };
  if ((await settleFanOut(task, { stopped, ...cancels }, deps)).status) await repeatEndOf(task, deps);
  return !head.stopped;
}

/** Marks the items whose children have ended, and starts those that are not begun. @returns whether it did */
async function recheckChildren(task: FanOutTask, { head, rows }: OpenItems, deps: StageDeps) {
  const ended = [...rows].filter(([, row]) => row && hasEndedForRound(task, row));
  for (const [item, row] of ended) {
    deps.meter.count(Metric.runsRepaired);
    await markItem(task, { item, status: markOfChild(row!) }, deps);
  }
  const mayBegin = !head.stopped && !isPausedRun(task.run.run);
  const unbegun = [...rows].filter(
    ([, row]) => !row || (isTerminal(row.status) && !hasEndedForRound(task, row)),
  );
  if (mayBegin && unbegun.length > 0)
    await beginItems(
      task,
      unbegun.map(([item]) => item),
      deps,
    );
  return ended.length > 0 || (mayBegin && unbegun.length > 0);
}

async function recheckItems(open: OpenItems, { ofRow }: ItemRechecks): Promise<boolean> {
  let isWorking = false;
  for (const row of open.rows.values()) {
    if (!row) continue;
    if ((await ofRow(row)) !== 'waiting') isWorking = true;
  }
  return isWorking;
}

/** The items that were to begin a while ago, and have no row. */
async function lostItems(
  task: FanOutTask,
  { head, rows }: OpenItems,
  { isLost }: ItemRechecks,
): Promise<number[]> {
  const unclaimed = [...rows].filter(([, row]) => !row).map(([item]) => item);
  if (unclaimed.length === 0 || head.stopped || startsChildren(task)) return [];
  return (await isLost(Math.max(head.movedAtMs, task.run.run.touchedAtMs))) ? unclaimed : [];
}

/** When an item was last begun or marked, as far as the open segments show. */
const lastMoveMs = ({ run }: FanOutTask, { head, marks }: OpenItems): number =>
  Math.max(
    head.movedAtMs,
    run.run.touchedAtMs,
    ...[...marks.values()].flatMap((ofSegment) =>
      Object.values(ofSegment).map((mark) => timeOfMark(mark, run.run)),
    ),
  );

/** The end of the fan-out is marked in its run. */
async function repeatEndOf(task: FanOutTask, deps: StageDeps): Promise<void> {
  const row = await deps.executions.get(fanOutRef(task));
  if (row) await repeatEnd(row, { by: 'sweeper' }, deps);
}
