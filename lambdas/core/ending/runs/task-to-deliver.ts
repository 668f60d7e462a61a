import type { StageDeps } from '../../deps';
import type { Execution, ParentTask, Run } from '../../domain/execution';
import type { Job } from '../../domain/job';
import type { ToDeliver } from '../../domain/to-deliver';
import { hasWork } from '../../domain/workflow/definition';
import type { Graph } from '../../domain/workflow/graph';
import { isStopped } from '../../domain/workflow/progress';
import { isAlive, taskEligibilityOf } from '../../domain/workflow/task-eligibility';
import { taskJobOf } from '../../domain/workflow/task-job';
import { refusedAtClaim } from '../../history/refused-at-claim';
import { graphOfRun } from './mark-task';
import { readTaskData } from './read-task-data';

/**
 * Whether the run above a child has not stopped. Once that run has ended, only the child's own user starts it
 * again.
 */
export async function isWanted(parent: ParentTask, deps: StageDeps): Promise<boolean> {
  const run = await deps.executions.get(parent);
  if (!isAlive(run) || (!run.run.stop && !run.cancelRequested)) return true;
  const graph = await graphOfRun(run, deps);
  const index = graph.indexOf.get(parent.task);
  if (index === undefined) return false;
  const isFinally = graph.tasks[index]!.task.finally !== undefined;
  const isAsked = run.cancelRequested !== undefined && (!isFinally || run.cancelRequested.force === true);
  return !isAsked && !isStopped(run.run, graph, index);
}

/** A task that a takeover may have claimed while its job was deleted ends, although the job is back. */
async function eligibilityOfTask(
  execution: Execution,
  run: Run,
  graph: Graph,
  job: Job | undefined,
  deps: StageDeps,
): Promise<ReturnType<typeof taskEligibilityOf>> {
  const eligibility = taskEligibilityOf(execution, run, graph, job);
  const reason = eligibility.call && job && (await refusedAtClaim(execution, job, deps));
  return reason ? { call: false, reason: 'stopped' } : eligibility;
}

/**
 * What a claimed task leads to, by its run and its job as they are now. A task whose run has ended, or has
 * stopped, ends without a call.
 */
export async function taskToDeliver(
  execution: Execution,
  { job, run }: { job: Job | undefined; run: Execution | undefined },
  deps: StageDeps,
): Promise<ToDeliver> {
  if (!isAlive(run)) return { to: 'end', end: { status: 'cancelled', reason: 'stopped' } };
  const graph = await graphOfRun(run, deps);
  const eligibility = await eligibilityOfTask(execution, run, graph, job, deps);
  if (eligibility.call) {
    const { task } = graph.tasks[eligibility.index]!;
    if (!hasWork(task)) return { to: 'end', end: { status: 'succeeded' }, run }; // it has waited for its time
    const data = await readTaskData({ run, graph, index: eligibility.index }, deps, eligibility.item);
    return { to: 'deliver', job: taskJobOf(job!, run, graph, eligibility.index), of: run, run, data };
  }
  const { reason } = eligibility;
  if (reason === 'paused') return { to: 'requeue', run };
  const end = { status: 'cancelled', reason } as const;
  // Otherwise the mark of this end would make the next task ready.
  return reason === 'deleted' ? { to: 'end', end, run, first: 'stop-run' } : { to: 'end', end, run };
}
