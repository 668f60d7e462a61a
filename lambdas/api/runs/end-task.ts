import { isChild, isInline } from '../../core/domain/workflow/definition';
import { keyOfTask } from '../../core/domain/workflow/marks';
import { isReleased, madeReadyBy } from '../../core/domain/workflow/progress';
import { marking } from '../../core/domain/workflow/run-edits';
import { isAlive } from '../../core/domain/workflow/task-eligibility';
import { endUnstarted, endExecution } from '../../core/ending/end-execution';
import { unlist } from '../../core/ending/runs/decide-approval';
import { goOnWithRun } from '../../core/ending/runs/go-on-with-run';
import { endedChild, endAgain } from '../../core/ending/runs/start-child';
import { taskRefIn, unstartedTask } from '../../core/ending/runs/unstarted-task';
import { jobRefOf } from '../../core/contracts/tables';
import type { Execution, UserRequest } from '../../core/domain/execution';
import { isTerminal } from '../../core/domain/transitions';
import { type ChildTask, childRefOf, hasEndedForRound } from '../../core/domain/workflow/children';
import type { ApiDeps } from '../request';
import { fileRecheckOfStop } from '../executions/file-recheck';
import { conflict } from '../http/problem';
import type { FoundTask } from './find-run';
import { cancelRun } from './cancel-run';

/**
 * Whether no process has sent the task or started its child. A stop does not wait for the mark of such a
 * task. So a row without its mark would come too late for the end of the run.
 */
export const isUnsent = ({ run, graph, task }: FoundTask): boolean =>
  isInline(task.task) || !isReleased(run.run, graph, task.index);

/**
 * Ends a task that was not sent. Its mark asks that nothing has moved, so neither it nor anything after it
 * has begun. Order of writes: the mark → the row, for the record → the messages.
 *
 * @param branch of a switch: the index of the one that it takes
 * @returns false if the run has changed meanwhile
 */
export async function endByMark(
  { run, graph, task }: FoundTask,
  end: EndByUser,
  branch: number | undefined,
  deps: ApiDeps,
): Promise<boolean> {
  const key = keyOfTask(task.index);
  const edit = marking(run.run, key, end.status, { nowMs: deps.clock.nowMs(), branch });
  const { applied, execution } = await deps.runs.edit(run, edit);
  if (!applied || !isAlive(execution)) return false;
  if (!isInline(task.task)) await record({ run, graph, task }, end, deps);
  if (task.task.approval) await unlist(taskRefIn(run, graph, task.index), deps);
  const fresh = new Set(madeReadyBy(graph, execution.run, [key]));
  await goOnWithRun(execution, { fresh, by: 'other' }, deps);
  return true;
}

/** So that the record says who ended it. A child that has run for an earlier round keeps that record. */
async function record({ run, graph, task }: FoundTask, end: EndByUser, deps: ApiDeps): Promise<void> {
  const { index } = task;
  const row = isChild(task.task)
    ? endedChild({ run, graph, index }, end, deps)
    : unstartedTask(run, taskRefIn(run, graph, index).execId, end, deps);
  await endUnstarted(row, 'other', deps);
}

/** How a user ends a task, or the child of one, that has not begun. */
interface EndByUser {
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
  const precondition = { kind: 'waiting' } as const;
  return (await endExecution({ execution: child, end, precondition, job, by: 'other' }, deps)) !== undefined;
}
