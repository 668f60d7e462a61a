import { inParallel } from '../async/in-parallel';
import type { StageDeps } from '../deps';
import type { Execution, Run } from '../domain/execution';
import { isTerminal } from '../domain/transitions';
import { isInline } from '../domain/workflow/definition';
import type { Derivation } from '../domain/workflow/derive';
import type { Graph } from '../domain/workflow/graph';
import type { MarkedStatus } from '../domain/workflow/marks';
import { endsRunning, isStopped } from '../domain/workflow/progress';
import type { ExecutionRef } from '../store/execution-store';
import { endRow, putEndedRow } from './end-row';
import { markTask } from './mark-task';
import { settleChild } from './settle-child';
import { taskRefIn, unstartedTask } from './unstarted-task';

const CONCURRENCY = 10;
/** A task may be claimed, or may end, while it is read. */
const TRIES = 3;
const STOPPED = { status: 'cancelled', reason: 'stopped' } as const;

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
    const status =
      graph.tasks[index]!.task.job === undefined
        ? await settleTask(run, graph, index, deps)
        : await settleChild({ run, graph, index }, cancelled, deps);
    if (!status) return;
    const row = await markTask({ run, graph, index, status, fresh }, deps);
    if ((row?.run?.moves ?? 0) >= (latest?.run?.moves ?? 0)) latest = row;
  });
  return latest;
}

/** The status that the task has ended with; undefined: it goes on. */
async function settleTask(
  run: Run,
  graph: Graph,
  index: number,
  deps: StageDeps,
): Promise<MarkedStatus | undefined> {
  if (isInline(graph.tasks[index]!.task)) return 'cancelled';
  const ref = taskRefIn(run, graph, index);
  const stop = run.run.stop!;
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await deps.executions.get(ref);
    if (row && isTerminal(row.status)) return row.status;
    if (row?.status === 'running') {
      if (!endsRunning(stop, graph) || row.cancelRequested) return undefined;
      const request = { reason: stop.why, atMs: deps.clock.nowMs() };
      if ((await deps.executions.requestCancel(row, request)) === 'done') return undefined;
    } else if (row) {
      const under = { the: 'waiting' } as const;
      if (await endRow({ execution: row, end: STOPPED, under, job: undefined, by: 'other' }, deps))
        return 'cancelled';
    } else if (await putEndedRow(unstartedTask(run, ref.execId, STOPPED, deps), 'other', deps))
      return 'cancelled';
  }
  return undefined;
}
