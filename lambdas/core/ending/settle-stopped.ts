import { inParallel } from '../async/in-parallel';
import type { StageDeps } from '../deps';
import type { Execution, Run } from '../domain/execution';
import { expiresAtSecAfter } from '../domain/timing';
import { isTerminal, type TerminalStatus } from '../domain/transitions';
import { hasWork } from '../domain/workflow/definition';
import type { Derivation } from '../domain/workflow/derive';
import type { Graph } from '../domain/workflow/graph';
import { roundOf } from '../domain/workflow/marks';
import { endsRunning, isStopped } from '../domain/workflow/progress';
import { taskExecId } from '../domain/workflow/task-id';
import { endRow, putEndedRow } from './end-row';
import { markTask } from './mark-task';

const CONCURRENCY = 10;
/** A task may be claimed, or may end, while it is read. */
const TRIES = 3;

interface Stopped {
  run: Run;
  graph: Graph;
  derivation: Derivation;
  /** Gets the tasks that become ready by this: finally tasks. */
  fresh: Set<number>;
}

/**
 * Settles the tasks that may have been sent before a stop. One that was not claimed gets a row that refuses
 * its claim. One that waits for an attempt ends. One that runs goes on, or its cancellation is requested, as
 * the stop says.
 *
 * @returns the run's row after the last mark
 */
export async function settleStopped(stopped: Stopped, deps: StageDeps): Promise<Execution | undefined> {
  const { run, graph, derivation, fresh } = stopped;
  const open = graph.tasks
    .map(({ index }) => index)
    .filter((index) => derivation.states[index] === 'ready' && isStopped(run.run, graph, index));
  let latest: Execution | undefined = run;
  await inParallel(open, CONCURRENCY, async (index) => {
    const status = await settleTask(run, graph, index, deps);
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
): Promise<TerminalStatus | undefined> {
  const { id: task, task: definition } = graph.tasks[index]!;
  if (!hasWork(definition)) return 'cancelled';
  const execId = taskExecId({ run: run.execId, task, round: roundOf(run.run, index) });
  const stop = run.run.stop!;
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await deps.executions.get({ jobKey: run.jobKey, execId });
    if (row && isTerminal(row.status)) return row.status;
    if (row?.status === 'running') {
      if (!endsRunning(stop, graph) || row.cancelRequested) return undefined;
      const request = { reason: stop.why, atMs: deps.clock.nowMs() };
      if ((await deps.executions.requestCancel(row, request)) === 'done') return undefined;
    } else if (row) {
      const end = { status: 'cancelled', reason: 'stopped' } as const;
      const under = { the: 'waiting' } as const;
      if (await endRow({ execution: row, end, under, job: undefined, by: 'other' }, deps)) return 'cancelled';
    } else if (await putEndedRow(stoppedRow(run, execId, deps), 'other', deps)) return 'cancelled';
  }
  return undefined;
}

function stoppedRow({ jobKey, run }: Run, execId: string, { clock, retentionDays }: StageDeps): Execution {
  const nowMs = clock.nowMs();
  return {
    jobKey,
    execId,
    trigger: 'task',
    dueAtMs: nowMs,
    status: 'cancelled',
    reason: 'stopped',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    fence: 0,
    attempts: [],
    finishedAtMs: nowMs,
    runEndsAtMs: run.endsAtMs,
    expiresAtSec: expiresAtSecAfter(Math.max(nowMs, run.endsAtMs), retentionDays),
  };
}
