import { jobRefOf } from '../../core/contracts/tables';
import type { Execution, UserRequest } from '../../core/domain/execution';
import { isTerminal } from '../../core/domain/transitions';
import { type ChildTask, childRefOf, hasEndedForRound } from '../../core/domain/workflow/children';
import { isAlive } from '../../core/domain/workflow/task-eligibility';
import { endExecution, endUnstarted } from '../../core/ending/end-execution';
import { endAgain, endedChild } from '../../core/ending/runs/start-child';
import { fileRecheckOfStop } from '../executions/file-recheck';
import { conflict } from '../http/problem';
import type { ApiDeps } from '../request';
import { cancelRun } from './cancel-run';

/** How a user ends a task, or the child of one, that has not begun. */
export interface EndByUser {
  status: 'cancelled' | 'skipped';
  reason: 'cancelled-by-user' | 'skipped-by-user';
  userRequest: UserRequest;
}

/** Cancels the child of a ready task. False if it has changed meanwhile. */
export async function cancelChild(
  task: ChildTask,
  userRequest: UserRequest,
  deps: ApiDeps,
): Promise<boolean> {
  const end = { status: 'cancelled', reason: 'cancelled-by-user', userRequest } as const;
  const child = await deps.executions.get(childRefOf(task));
  if (child?.status !== 'running') return endUnclaimed(task, child, end, deps);
  if (isAlive(child)) return (await cancelRun(child, { userRequest, force: false }, deps)) !== undefined;
  if (child.cancelRequested) return true;
  await fileRecheckOfStop(child, deps);
  const request = { reason: end.reason, atMs: deps.clock.nowMs(), userRequest };
  return (await deps.executions.requestCancel(child, request)) === 'done';
}

/** Skips the child of a ready task. False if it has changed meanwhile. Throws `ProblemError` 409. */
export async function skipChild(task: ChildTask, end: EndByUser, deps: ApiDeps): Promise<boolean> {
  const child = await deps.executions.get(childRefOf(task));
  if (child?.status === 'running')
    throw conflict(`the task ${task.graph.tasks[task.index]!.id} is running; cancel it first`);
  return endUnclaimed(task, child, end, deps);
}

async function endUnclaimed(
  task: ChildTask,
  child: Execution | undefined,
  end: EndByUser,
  deps: ApiDeps,
): Promise<boolean> {
  if (!child) return endUnstarted(endedChild(task, end, deps), 'other', deps);
  if (isTerminal(child.status)) {
    if (hasEndedForRound(task, child)) return false;
    const ended = await endAgain(task, child, end, deps);
    if (ended) await deps.followUps.afterOne(ended, { by: 'other' }, deps);
    return ended !== undefined;
  }
  const job = await deps.jobs.get(jobRefOf(child.jobKey));
  const under = { the: 'waiting' } as const;
  return (await endExecution({ execution: child, end, under, job, by: 'other' }, deps)) !== undefined;
}
