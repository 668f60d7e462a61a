import { inParallel } from '../../async/in-parallel';
import type { StageDeps } from '../../deps';
import { isTerminal } from '../../domain/transitions';
import { isChild, isFanOut, isInline } from '../../domain/workflow/definition';
import type { MarkedStatus } from '../../domain/workflow/marks';
import { endsRunning } from '../../domain/workflow/progress';
import type { RunTask } from '../../domain/workflow/run-task';
import type { ExecutionRef } from '../../store/execution-store';
import { endOpenTask, type Settled } from './end-open-task';
import { settleFanOut } from './fan-outs/settle-fan-out';
import { allMarked, type Marked, markTask } from './mark-task';
import type { Seen } from './next-action';
import { settleChild } from './settle-child';
import { taskRefIn } from './unstarted-task';

const CONCURRENCY = 10;

/**
 * Settles tasks that may have been sent before a stop. One that was not claimed gets a row that refuses its
 * claim. One that waits for an attempt ends. One that runs goes on, or its cancellation is requested, as the
 * stop says.
 */
export async function settleStopped(
  tasks: readonly number[],
  { run, graph }: Seen,
  deps: StageDeps,
): Promise<Marked & { cancelled: readonly ExecutionRef[] }> {
  const marks: Marked[] = [];
  const allCancelled: ExecutionRef[] = [];
  await inParallel(tasks, CONCURRENCY, async (index) => {
    const task = { run, graph, index };
    const { status, cancelled = [] } = await settleTask(task, deps);
    allCancelled.push(...cancelled);
    if (status) marks.push(await markTask({ ...task, status }, deps));
  });
  return { ...allMarked(run, marks), cancelled: allCancelled };
}

async function settleTask({ run, graph, index }: RunTask, deps: StageDeps): Promise<Settled> {
  const { task } = graph.tasks[index]!;
  const ref = taskRefIn(run, graph, index);
  if (isInline(task)) return { status: await inlineEnd(ref, deps) };
  const stop = run.run.stop!;
  const how = endsRunning(stop, graph) ? { cancels: stop.why } : {};
  if (isFanOut(task)) return settleFanOut({ run, graph, index }, { ...how, stopped: 'stopped' }, deps);
  if (isChild(task)) return settleChild({ run, graph, index }, how, deps);
  return { status: await endOpenTask(run, ref, how, deps) };
}

/** An inline task has a row if it could not be decided. Its process may have died before the mark. */
async function inlineEnd(ref: ExecutionRef, { executions }: StageDeps): Promise<MarkedStatus> {
  const row = await executions.get(ref);
  return row && isTerminal(row.status) ? row.status : 'cancelled';
}
