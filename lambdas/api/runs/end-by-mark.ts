import { isChild, isInline } from '../../core/domain/workflow/definition';
import { keyOfTask } from '../../core/domain/workflow/marks';
import { isReleased, madeReadyBy } from '../../core/domain/workflow/progress';
import { marking } from '../../core/domain/workflow/run-edits';
import { isAlive } from '../../core/domain/workflow/task-eligibility';
import { endUnstarted } from '../../core/ending/end-execution';
import { unlist } from '../../core/ending/runs/decide-approval';
import { goOnWithRun } from '../../core/ending/runs/go-on-with-run';
import { endedChild } from '../../core/ending/runs/start-child';
import { taskRefIn, unstartedTask } from '../../core/ending/runs/unstarted-task';
import type { ApiDeps } from '../request';
import type { EndByUser } from './end-child';
import type { FoundTask } from './find-run';

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
