import { EmptyBody } from '../../core/http/job';
import { jobRefOf } from '../../core/contracts/tables';
import { deliveredBy } from '../../core/ending/runs/delivered-by';
import type { Run, UserRequest } from '../../core/domain/execution';
import { isTerminal } from '../../core/domain/transitions';
import { isChild, isFanOut, isInline } from '../../core/domain/workflow/definition';
import { childRefOf } from '../../core/domain/workflow/children';
import { derive, isOpen } from '../../core/domain/workflow/derive';
import type { GraphTask } from '../../core/domain/workflow/graph';
import { endExecution, endUnstarted } from '../../core/ending/end-execution';
import { type FanOutTask, fanOutRef } from '../../core/ending/runs/fan-outs/fan-out-task';
import { settleFanOut } from '../../core/ending/runs/fan-outs/settle-fan-out';
import { stopChildren } from '../../core/ending/runs/go-on-with-run';
import { markAndGoOn } from '../../core/ending/runs/task-ends';
import { taskRefIn, unstartedTask } from '../../core/ending/runs/unstarted-task';
import { fileRecheckOfStop } from '../executions/file-recheck';
import { authorOf } from '../http/author';
import { readOptionalBody } from '../http/parse-request';
import { conflict } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { endByMark, isUnsent, cancelChild } from './end-task';
import { type FoundTask, findTask } from './find-run';
import { checkRunning } from './pause-run';
import { readTasks, taskDetailView } from './task-view';

const MAX_TRIES = 5;
const CANCELLED_BY_USER = 'cancelled-by-user';

/**
 * 202. A task that is ready ends as cancelled: at once if it waits, at its next heartbeat if it runs. Order
 * of writes: the entry of the run's recheck → the task → its mark. The mark of a task that was not sent
 * comes before its row.
 */
export async function cancelTask(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  readOptionalBody(request, EmptyBody);
  const userRequest = authorOf(request);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { run, graph, task } = await findTask(request, deps);
    checkCancellable(run, task, derive(graph, run.run).states[task.index]!);
    if (!(await isCancelRequested({ run, graph, task }, deps))) {
      await fileRecheckOfStop(run, deps);
      if (!(await cancelOne({ run, graph, task }, userRequest, deps))) continue;
    }
    const found = await findTask(request, deps);
    const tasks = await readTasks(found, [task.index], deps);
    return { status: 202, body: taskDetailView(tasks, task.index) };
  }
  throw conflict('other requests keep changing the task; read it again and repeat the request');
}

function checkCancellable(run: Run, { id, task }: GraphTask, state: string): void {
  checkRunning(run);
  if (state === 'waiting') throw conflict(`the task ${id} waits for other tasks; cancel the run instead`);
  if (!isOpen(state as never) || isInline(task))
    throw conflict(`the task ${id} is already settled with status ${state}`);
}

/** Then nothing is left to write: the entry is written before the request is on record. */
async function isCancelRequested({ run, graph, task }: FoundTask, deps: ApiDeps): Promise<boolean> {
  const { index } = task;
  if (isFanOut(task.task)) {
    const head = await deps.fanOuts.getHead(fanOutRef({ run, graph, index }));
    // What a failed item has stopped lets the items end that run: a cancel still changes something.
    return head?.stopped === CANCELLED_BY_USER;
  }
  const ref = isChild(task.task) ? childRefOf({ run, graph, index }) : taskRefIn(run, graph, index);
  const row = await deps.executions.get(ref);
  return row?.status === 'running' && row.cancelRequested !== undefined;
}

/** False if the task has changed meanwhile. */
async function cancelOne(found: FoundTask, userRequest: UserRequest, deps: ApiDeps): Promise<boolean> {
  const { run, graph, task } = found;
  const end = { status: 'cancelled', reason: CANCELLED_BY_USER, userRequest } as const;
  if (isUnsent(found)) return endByMark(found, end, undefined, deps);
  if (isChild(task.task)) return cancelChild({ run, graph, index: task.index }, userRequest, deps);
  const ref = taskRefIn(run, graph, task.index);
  const row = await deps.executions.get(ref);
  if (!row && isFanOut(task.task)) return cancelFanOut({ run, graph, index: task.index }, deps);
  if (!row) return endUnstarted(unstartedTask(run, ref.execId, end, deps), 'other', deps);
  if (isTerminal(row.status)) return false;
  if (row.status === 'running') {
    const { reason } = end;
    return (
      (await deps.executions.requestCancel(row, { reason, atMs: deps.clock.nowMs(), userRequest })) === 'done'
    );
  }
  const { job } = await deliveredBy(ref, await deps.jobs.get(jobRefOf(run.jobKey)), deps);
  const precondition = { kind: 'waiting' } as const;
  return (
    (await endExecution({ execution: row, end, precondition, job, by: 'other', run }, deps)) !== undefined
  );
}

/** No further item begins, and those that run are cancelled at their next heartbeats. */
async function cancelFanOut(task: FanOutTask, deps: ApiDeps): Promise<boolean> {
  const how = { stopped: CANCELLED_BY_USER, cancels: CANCELLED_BY_USER } as const;
  const { status, cancelled = [] } = await settleFanOut(task, how, deps);
  await stopChildren(cancelled, deps);
  if (status) await markAndGoOn({ ...task, status }, deps);
  return true;
}
