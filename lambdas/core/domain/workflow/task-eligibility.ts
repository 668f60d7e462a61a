import { type Execution, isRun, type Run } from '../execution';
import type { Job } from '../job';
import { isFanOut } from './definition';
import type { Graph } from './graph';
import { keyOfTask, roundOf } from './marks';
import { isPausedRun, isStopped } from './progress';
import { taskRefOf } from './task-id';

/** Whether the job of a run is deleted, or another one has its id now. */
export const isJobGone = ({ run }: Run, job: Pick<Job, 'createdAtMs'> | undefined): boolean =>
  job?.createdAtMs !== run.jobCreatedAtMs;

/**
 * Whether a run waits for tasks. While a claim holds it, it runs again but has not started: its executor may
 * still end it as a whole.
 */
export const isAlive = (run: Execution | undefined): run is Run =>
  run !== undefined && run.status === 'running' && isRun(run) && run.claimId === undefined;

/** `paused`: the task waits until its run is resumed. */
type TaskEligibility =
  | { call: true; index: number; item: number | undefined }
  | { call: false; reason: 'stopped' | 'deleted' | 'paused' };

/**
 * Whether a claimed task may call its target. Run and job are read after the claim, so a cancel or a delete
 * that was acknowledged before the claim is obeyed. So is a pause of the run.
 */
export function taskEligibilityOf(
  { execId }: Pick<Execution, 'execId'>,
  run: Run,
  graph: Graph,
  job: Job | undefined,
): TaskEligibility {
  const ref = taskRefOf(execId);
  const index = ref && graph.indexOf.get(ref.task);
  if (ref === undefined || index === undefined) return { call: false, reason: 'stopped' };
  // Another version of the workflow may have made it a fan-out, or none.
  if (isFanOut(graph.tasks[index]!.task) !== (ref.item !== undefined))
    return { call: false, reason: 'stopped' };
  const isHistory = roundOf(run.run, index) !== ref.round || run.run.marks[keyOfTask(index)] !== undefined;
  if (isHistory) return { call: false, reason: 'stopped' };
  if (isJobGone(run, job)) return { call: false, reason: 'deleted' };
  const isFinally = graph.tasks[index]!.task.finally !== undefined;
  const isAsked = run.cancelRequested !== undefined && (!isFinally || run.cancelRequested.force === true);
  if (isAsked || isStopped(run.run, graph, index)) return { call: false, reason: 'stopped' };
  if (isPausedRun(run.run)) return { call: false, reason: 'paused' };
  return { call: true, index, item: ref.item };
}
