import { inParallel } from '../../async/in-parallel';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import { isTerminal } from '../../domain/transitions';
import { isChild, isFanOut, isInline } from '../../domain/workflow/definition';
import type { Derivation } from '../../domain/workflow/derive';
import type { Graph } from '../../domain/workflow/graph';
import type { MarkedStatus } from '../../domain/workflow/marks';
import { endsRunning, isStopped } from '../../domain/workflow/progress';
import type { ExecutionRef } from '../../store/execution-store';
import { endOpenTask } from './end-open-task';
import { settleFanOut } from './fan-outs/settle-fan-out';
import { markTask, newerRow } from './mark-task';
import { settleChild } from './settle-child';
import { taskRefIn } from './unstarted-task';

const CONCURRENCY = 10;

interface Stopped {
  run: Run;
  graph: Graph;
  derivation: Derivation;
  /** Gets the tasks that become ready by this: finally tasks. */
  fresh: Set<number>;
  /** Gets children whose cancellation was requested by this. */
  cancelled: ExecutionRef[];
}

/**
 * Settles the tasks that may have been sent before a stop. One that was not claimed gets a row that refuses
 * its claim. One that waits for an attempt ends. One that runs goes on, or its cancellation is requested, as
 * the stop says.
 *
 * @returns the run's row after the last mark
 */
export async function settleStopped(stopped: Stopped, deps: StageDeps): Promise<Execution | undefined> {
  const { run, graph, derivation, fresh, cancelled } = stopped;
  const open = graph.tasks
    .map(({ index }) => index)
    .filter((index) => derivation.states[index] === 'ready' && isStopped(run.run, graph, index));
  let latest: Execution | undefined = run;
  await inParallel(open, CONCURRENCY, async (index) => {
    const status = await settleTask({ run, graph, index }, cancelled, deps);
    if (!status) return;
    const row = await markTask({ run, graph, index, status, fresh }, deps);
    latest = newerRow(latest, row);
  });
  return latest;
}

/** The status that the task has ended with; undefined: it goes on. */
async function settleTask(
  { run, graph, index }: { run: Run; graph: Graph; index: number },
  cancelled: ExecutionRef[],
  deps: StageDeps,
): Promise<MarkedStatus | undefined> {
  const { task } = graph.tasks[index]!;
  if (isInline(task)) return inlineEnd(taskRefIn(run, graph, index), deps);
  const stop = run.run.stop!;
  const how = endsRunning(stop, graph) ? { cancels: stop.why } : {};
  if (isFanOut(task))
    return settleFanOut({ run, graph, index }, { ...how, stopped: 'stopped', cancelled }, deps);
  if (isChild(task)) return settleChild({ run, graph, index }, how, cancelled, deps);
  return endOpenTask(run, taskRefIn(run, graph, index), how, deps);
}

/** An inline task has a row if it could not be decided. Its process may have died before the mark. */
async function inlineEnd(ref: ExecutionRef, { executions }: StageDeps): Promise<MarkedStatus> {
  const row = await executions.get(ref);
  return row && isTerminal(row.status) ? row.status : 'cancelled';
}
