import { ApproveBody } from '../../core/http/workflow-queries';
import { jobRefOf } from '../../core/contracts/tables';
import type { UserRequest } from '../../core/domain/execution';
import { isTerminal } from '../../core/domain/transitions';
import { derive } from '../../core/domain/workflow/derive';
import { outputOf } from '../../core/domain/workflow/output';
import { MAX_OUTPUT_BYTES } from '../../core/domain/workflow/definition';
import { type ApprovalDecision, decideApproval } from '../../core/ending/runs/decide-approval';
import { isDecidedByWhen } from '../../core/ending/runs/decide-task';
import { taskRefIn } from '../../core/ending/runs/unstarted-task';
import { fileRecheck, fileRecheckOfStop } from '../executions/file-recheck';
import { readOptionalBody } from '../http/parse-request';
import { conflict, forbidden, tooLarge } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { type FoundTask, findTask } from './find-run';
import { checkRunning } from './pause-run';
import { readTasks, taskDetailView } from './task-view';

/** 200: the approval is given, and its task has succeeded. */
export const approveTask = (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> =>
  decide(request, 'succeeded', deps);

/** 200: the approval is refused, and its task has failed. */
export const rejectTask = (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> =>
  decide(request, 'failed', deps);

/** Order of writes: the entry of the run's recheck → the row of the task → its mark. */
async function decide(
  request: ApiRequest,
  status: 'succeeded' | 'failed',
  deps: ApiDeps,
): Promise<ApiResponse> {
  const { comment, output } = readOptionalBody(request, ApproveBody);
  const found = await findTask(request, deps);
  await checkDecidable(request, found, deps);
  const userRequest: UserRequest = { by: request.by, ...(comment !== undefined && { note: comment }) };
  const decision: ApprovalDecision = {
    status,
    ...(status === 'failed' && { reason: 'rejected' }),
    ...(output !== undefined && { output: textOf(output) }),
    userRequest,
  };
  const task = { run: found.run, graph: found.graph, index: found.task.index };
  // A rejection stops work.
  await (status === 'failed' ? fileRecheckOfStop : fileRecheck)(found.run, deps);
  const isFirst = await decideApproval(task, decision, 'other', deps);
  if (!isFirst) throw await decidedBefore(found, deps);
  return detailOf(request, deps);
}

/** 200 with the task as it is now. */
export async function detailOf(request: ApiRequest, deps: ApiDeps, status = 200): Promise<ApiResponse> {
  const { task, ...found } = await findTask(request, deps);
  const tasks = await readTasks(found, [task.index], deps);
  return { status, body: taskDetailView(tasks, task.index) };
}

function textOf(output: unknown): string {
  const text = outputOf(output);
  if (text === 'too-large') throw tooLarge('output', `must have at most ${MAX_OUTPUT_BYTES} bytes as JSON`);
  return text.json;
}

async function checkDecidable(request: ApiRequest, found: FoundTask, deps: ApiDeps): Promise<void> {
  const { run, graph, task } = found;
  const { approval } = task.task;
  if (!approval) throw conflict(`the task ${task.id} needs no approval`);
  checkRunning(run);
  const state = derive(graph, run.run).states[task.index]!;
  if (state === 'waiting') throw conflict(`the task ${task.id} still waits for other tasks`);
  if (state !== 'ready' || run.run.stop) throw await decidedBefore(found, deps);
  const job = await deps.jobs.get(jobRefOf(run.jobKey));
  if (job && (await isDecidedByWhen({ run, graph, index: task.index }, job, deps)))
    throw await decidedBefore(found, deps);
  const barred = approval.notBy && (approval.notBy === 'starter' ? run.userRequest?.by.sub : job?.by?.sub);
  if (barred !== undefined && barred === request.by.sub)
    throw forbidden(
      approval.notBy === 'starter'
        ? 'who started the run may not decide on its approval'
        : 'who last changed the job may not decide on its approval',
    );
}

/** 409 with what is on record. */
async function decidedBefore({ run, graph, task }: FoundTask, deps: ApiDeps): Promise<Error> {
  const row = await deps.executions.get(taskRefIn(run, graph, task.index));
  if (!row || !isTerminal(row.status)) return conflict(`the task ${task.id} waits for no approval any more`);
  const by = row.userRequest ? ` by ${row.userRequest.by.name ?? row.userRequest.by.sub}` : '';
  return conflict(`the task ${task.id} is already settled with status ${row.status}${by}`);
}
