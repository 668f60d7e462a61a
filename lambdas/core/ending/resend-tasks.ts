import type { StageDeps } from '../deps';
import type { Run } from '../domain/execution';
import { derive } from '../domain/workflow/derive';
import type { Graph } from '../domain/workflow/graph';
import { isFanOut } from '../domain/workflow/definition';
import { callable } from '../domain/workflow/progress';
import { IncompleteReadError } from '../errors';
import { executionMapKey } from '../store/execution-store';
import { resendItems } from './fan-outs/open-items';
import { isUnsent, resendTask } from './resend-task';
import { taskRefIn } from './unstarted-task';

/**
 * Sends the attempts that waited while a run was held. What fails is left to the run's recheck.
 *
 * @returns the ready tasks that have no row yet: they are to be sent as new ones
 */
export async function resendTasks(run: Run, graph: Graph, deps: StageDeps): Promise<ReadonlySet<number>> {
  const open = callable({ run: run.run, graph }, derive(graph, run.run));
  if (open.length === 0) return new Set();
  const refs = open.map((index) => taskRefIn(run, graph, index));
  const read = await deps.executions.getMany(refs, { consistent: true });
  if (read.unread.size > 0) throw new IncompleteReadError('executions', read.unread.size);
  const fresh = new Set<number>();
  const nowMs = deps.clock.nowMs();
  for (const [at, index] of open.entries()) {
    const row = read.executions.get(executionMapKey(refs[at]!));
    if (isFanOut(graph.tasks[index]!.task)) await resendItems({ run, graph, index }, deps);
    if (!row) fresh.add(index);
    else if ((row.status === 'retrying' || row.status === 'queued') && isUnsent(row, nowMs, 0))
      await resendTask(row, run, deps);
  }
  return fresh;
}
