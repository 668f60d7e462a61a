import type { StageDeps } from '../../deps';
import { type Execution, isRun, type Run } from '../../domain/execution';
import type { Job } from '../../domain/job';
import { isJobGone } from '../../domain/workflow/task-eligibility';
import { taskJobOf } from '../../domain/workflow/task-job';
import { taskRefOf } from '../../domain/workflow/task-id';
import { graphOfRun } from './mark-task';

/**
 * The job by which an execution is delivered, retried and taken over: of a task, the task as a job, and its
 * run. `job` undefined: the job is deleted, or the run is gone.
 *
 * @param job the job of the execution, as read
 */
export async function deliveredBy(
  { jobKey, execId }: Pick<Execution, 'jobKey' | 'execId'>,
  job: Job | undefined,
  deps: Pick<StageDeps, 'executions' | 'flows'>,
): Promise<{ job: Job | undefined; run?: Run }> {
  const ref = taskRefOf(execId);
  if (!ref) return { job };
  const run = await deps.executions.get({ jobKey, execId: ref.run });
  if (!run || !isRun(run)) return { job: undefined };
  if (!job || isJobGone(run, job)) return { job: undefined, run };
  const graph = await graphOfRun(run, deps);
  const index = graph.indexOf.get(ref.task);
  return { job: index === undefined ? undefined : taskJobOf(job, run, graph, index), run };
}
