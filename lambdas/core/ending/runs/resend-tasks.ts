import type { StageDeps } from '../../deps';
import type { Run } from '../../domain/execution';
import { derive } from '../../domain/workflow/derive';
import type { Graph } from '../../domain/workflow/graph';
import { isFanOut } from '../../domain/workflow/definition';
import { callable, childrenReady } from '../../domain/workflow/progress';
import { executionMapKey } from '../../store/execution-store';
import { resendItems } from './fan-outs/open-items';
import { isUnsent, resumeTask } from './resend-task';
import { taskRefIn } from './unstarted-task';
import { readExecutions } from '../../store/read-whole';

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
  const rows = await readExecutions(refs, deps);
  const nowMs = deps.clock.nowMs();
  for (const [at, index] of open.entries()) {
    const row = rows.get(executionMapKey(refs[at]!));
    if (isFanOut(graph.tasks[index]!.task)) await resendItems({ run, graph, index }, deps);
    if (!row) fresh.add(index);
    else if ((row.status === 'retrying' || row.status === 'queued') && isUnsent(row, nowMs, 0))
      await resumeTask(row, run, deps);
  }
  return fresh;
}
