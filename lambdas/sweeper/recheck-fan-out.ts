import { SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import type { Execution } from '../core/domain/execution';
import { timeOfMark } from '../core/domain/workflow/marks';
import { callable, readySinceMs } from '../core/domain/workflow/progress';
import { derive } from '../core/domain/workflow/derive';
import { type FanOutTask, fanOutRef } from '../core/ending/runs/fan-outs/fan-out-task';
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
 * waits for another job.
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
  if (!open) {
    const view = { run: run.run, graph };
    const isDue = callable(view, derive(graph, run.run)).includes(index);
    return isDue && nowMs - readySinceMs(view, index) >= DISPENSED_WITHIN_MS ? 'unsent' : 'working';
  }
  const { stopped } = open.head;
  // A user has cancelled it. What a stop of the run has left is settled by that.
  if (stopped && !run.run.stop) await settleFanOut(task, { stopped, cancels: stopped }, deps);
  const isWorking = await recheckItems(open, rechecks);
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
  { run }: FanOutTask,
  { head, rows }: OpenItems,
  { isLost }: ItemRechecks,
): Promise<number[]> {
  const unclaimed = [...rows].filter(([, row]) => !row).map(([item]) => item);
  if (unclaimed.length === 0 || head.stopped) return [];
  return (await isLost(Math.max(head.movedAtMs, run.run.touchedAtMs))) ? unclaimed : [];
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
