import { SECOND_MS } from '../clock/clock';
import type { StageDeps } from '../deps';
import type { Execution, Run } from '../domain/execution';
import { derive } from '../domain/workflow/derive';
import type { Graph } from '../domain/workflow/graph';
import { callable, childrenReady } from '../domain/workflow/progress';
import { IncompleteReadError } from '../errors';
import { attemptMessage } from '../queue/attempt-entries';
import { executionMapKey } from '../store/execution-store';
import { taskRefIn } from './unstarted-task';

/** The message of an attempt that is due was sent by then, unless its run was held. */
const SENT_WITHIN_MS = 15 * SECOND_MS;

/** Whether a row waits for an attempt whose time has come, and whose message may never have been sent. */
export const isUnsent = ({ startAtMs = 0 }: Execution, nowMs: number, withinMs = SENT_WITHIN_MS): boolean =>
  startAtMs + withinMs <= nowMs;

/** Sends the attempt of a task that waits. A second message is harmless: its claim is refused. */
export async function resendTask(row: Execution, { run }: Run, deps: StageDeps): Promise<void> {
  const lane = { overlap: 'allow', orderingKey: null, priority: run.priority, pool: run.pool } as const;
  const startAtMs = deps.clock.nowMs();
  const message = attemptMessage(row, { attempt: row.attempt, startAtMs }, lane);
  await deps.queue.send([{ message, delaySec: 0 }]);
}

/**
 * Sends the attempts that waited while a run was held. What fails is left to the run's recheck.
 *
 * @returns the ready tasks that have no row yet: they are to be sent as new ones. And those of children
 */
export async function resendTasks(run: Run, graph: Graph, deps: StageDeps): Promise<ReadonlySet<number>> {
  const view = { run: run.run, graph };
  const derivation = derive(graph, run.run);
  const fresh = new Set(childrenReady(view, derivation));
  const open = callable(view, derivation);
  if (open.length === 0) return fresh;
  const refs = open.map((index) => taskRefIn(run, graph, index));
  const read = await deps.executions.getMany(refs, { consistent: true });
  if (read.unread.size > 0) throw new IncompleteReadError('executions', read.unread.size);
  const nowMs = deps.clock.nowMs();
  for (const [at, index] of open.entries()) {
    const row = read.executions.get(executionMapKey(refs[at]!));
    if (!row) fresh.add(index);
    else if ((row.status === 'retrying' || row.status === 'queued') && isUnsent(row, nowMs, 0))
      await resendTask(row, run, deps);
  }
  return fresh;
}
