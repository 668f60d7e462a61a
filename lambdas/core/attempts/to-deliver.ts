import type { StageDeps } from '../deps';
import { type Execution, isPlanned, type ParentTask, type Run } from '../domain/execution';
import { type Eligibility, eligibilityOf, skippedBy } from '../domain/eligibility';
import type { Job } from '../domain/job';
import type { Graph } from '../domain/workflow/graph';
import { hasWork } from '../domain/workflow/definition';
import { asChild } from '../domain/workflow/child-row';
import { isStopped } from '../domain/workflow/progress';
import type { TaskData } from '../domain/workflow/task-data';
import { isTaskExecution } from '../domain/workflow/task-id';
import { isAlive, taskEligibilityOf } from '../domain/workflow/task-eligibility';
import { taskJobOf } from '../domain/workflow/task-job';
import { graphOfRun } from '../ending/runs/mark-task';
import { readTaskData } from '../ending/runs/read-task-data';
import { goOnWithRun } from '../ending/runs/go-on-with-run';
import { keepRangeWhole } from '../ending/skip-ranges';
import { skippedMeanwhile } from './late-claim';
import type { LeaseHandle } from '../store/lease-handle';
import { putBack } from './put-back';
import { refusedAtClaim } from '../history/refused-at-claim';
import { settleWithoutCall, type SettledStatus } from './settle';

/** A claimed execution, and what was read after its claim. */
export interface ClaimedToCheck {
  execution: Execution;
  handle: LeaseHandle;
  /** Undefined: it is deleted. */
  job: Job | undefined;
  /** Only of a task: its run. Undefined: there is none. */
  run?: Execution | undefined;
}

/**
 * What a claimed execution leads to. `deliver`: by this job; of a task, the task as a job. `of` is the
 * execution whose values the templates take. `settled`: it has ended without a call.
 */
export type ToDeliver =
  | { to: 'deliver'; job: Job; of: Execution; run?: Run; data?: TaskData }
  | { to: 'settled'; status: SettledStatus };

/**
 * Checks a claimed execution by its job as it is now, for the executor and for workers. One that may not be
 * delivered ends.
 */
export const toDeliver = (claimed: ClaimedToCheck, deps: StageDeps): Promise<ToDeliver> =>
  isTaskExecution(claimed.execution.execId) ? taskToDeliver(claimed, deps) : jobToDeliver(claimed, deps);

async function jobToDeliver({ execution, handle, job }: ClaimedToCheck, deps: StageDeps): Promise<ToDeliver> {
  if (execution.parent && !(await isWanted(execution.parent, deps))) {
    const end = { status: 'cancelled', reason: 'stopped' } as const;
    return { to: 'settled', status: await settleWithoutCall({ execution, job, handle }, end, deps) };
  }
  const eligibility = await eligibilityOfClaimed(execution, job, deps);
  if (eligibility.call) return { to: 'deliver', job: asChild(eligibility.job, execution), of: execution };
  if (isPlanned(execution.trigger)) await keepRangeWhole(execution, deps);
  const status = await settleWithoutCall({ execution, job, handle }, eligibility.end, deps);
  return { to: 'settled', status };
}

async function eligibilityOfClaimed(
  execution: Execution,
  job: Job | undefined,
  deps: StageDeps,
): Promise<Eligibility> {
  const skippedAs = await skippedMeanwhile(execution, job, deps);
  if (skippedAs) return skippedBy(skippedAs);
  const eligibility = eligibilityOf(execution, job);
  const reason = eligibility.call && (await refusedAtClaim(execution, eligibility.job, deps));
  return reason ? { call: false, end: { status: 'cancelled', reason } } : eligibility;
}

/**
 * Whether the run above a child has not stopped. Once that run has ended, only the child's own user starts it
 * again.
 */
async function isWanted(parent: ParentTask, deps: StageDeps): Promise<boolean> {
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

/** A task whose run has ended, or has stopped, ends without a call. */
async function taskToDeliver(
  { execution, handle, job, run }: ClaimedToCheck,
  deps: StageDeps,
): Promise<ToDeliver> {
  const end = (reason: 'stopped' | 'deleted') => ({ status: 'cancelled', reason }) as const;
  if (!isAlive(run)) {
    const status = await settleWithoutCall({ execution, job, handle }, end('stopped'), deps);
    return { to: 'settled', status };
  }
  const graph = await graphOfRun(run, deps);
  const eligibility = await eligibilityOfTask(execution, run, graph, job, deps);
  if (eligibility.call) {
    const { task } = graph.tasks[eligibility.index]!;
    if (!hasWork(task)) {
      const done = { status: 'succeeded' } as const; // it has waited for its time
      return { to: 'settled', status: await settleWithoutCall({ execution, job, handle, run }, done, deps) };
    }
    const data = await readTaskData({ run, graph, index: eligibility.index }, deps, eligibility.item);
    return { to: 'deliver', job: taskJobOf(job!, run, graph, eligibility.index), of: run, run, data };
  }
  const { reason } = eligibility;
  if (reason === 'paused') return { to: 'settled', status: await putBack(execution, handle, run, deps) };
  if (reason === 'deleted') await goOnWithRun(run, { fresh: new Set(), by: 'other', jobGone: true }, deps);
  const status = await settleWithoutCall({ execution, job, handle, run }, end(reason), deps);
  return { to: 'settled', status };
}
