import { SkipTaskBody } from '../../core/http/workflow-queries';
import type { UserRequest } from '../../core/domain/execution';
import { isTerminal } from '../../core/domain/transitions';
import { branchesOf, isChild, isFanOut } from '../../core/domain/workflow/definition';
import { derive } from '../../core/domain/workflow/derive';
import { endExecution, endUnstarted } from '../../core/ending/end-execution';
import { decideApproval } from '../../core/ending/runs/decide-approval';
import { type FanOutTask, fanOutExpiry, fanOutRef } from '../../core/ending/runs/fan-outs/fan-out-task';
import { taskRefIn, unstartedTask } from '../../core/ending/runs/unstarted-task';
import { audited } from '../audit/audited';
import { fileRecheck } from '../executions/file-recheck';
import { authorOf } from '../http/author';
import { readOptionalBody } from '../http/parse-request';
import { conflict, forbidden, invalidField } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { detailOf } from './approve-task';
import { endByMark, isUnsent, skipChild } from './end-task';
import { type FoundTask, findTask } from './find-run';
import { checkRunning, tooFast } from './pause-run';

const MAX_TRIES = 10;

/**
 * 202: a task that has not begun counts as done, and the tasks after it go on. An approval may be skipped
 * only by those who may give it.
 */
export async function skipTask(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { branch } = readOptionalBody(request, SkipTaskBody);
  const first = await findTask(request, deps);
  if (!first.task.task.approval) return skip(request, branch, deps);
  requireApproveScope(request);
  const resource = `${first.run.jobKey}#${first.run.execId}/${first.task.id}`;
  return audited(
    request,
    { what: 'approval.overridden', resource, detail: 'skip' },
    () => skip(request, branch, deps),
    deps,
  );
}

/** What passes an approval without giving it needs the right to give it. Throws `ProblemError` 403. */
export function requireApproveScope({ scopes }: ApiRequest): void {
  if (!scopes.has('runs:approve'))
    throw forbidden('this passes an approval: it needs the scope runs:approve');
}

async function skip(request: ApiRequest, branch: string | undefined, deps: ApiDeps): Promise<ApiResponse> {
  const userRequest = authorOf(request);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findTask(request, deps);
    checkRunning(found.run);
    if (found.run.run.stop) throw conflict('the run is stopping: nothing can be skipped any more');
    const taken = branchIndexOf(found, branch);
    await fileRecheck(found.run, deps);
    if (await skipOne(found, taken, userRequest, deps)) return detailOf(request, deps, 202);
  }
  throw tooFast();
}

/** Throws `ProblemError` 400: a switch that is skipped needs the branch that it is to take. */
function branchIndexOf({ task: { id, task } }: FoundTask, branch: string | undefined): number | undefined {
  if (!task.switch) {
    if (branch !== undefined) throw invalidField('branch', `is only allowed for a switch; ${id} is none`);
    return undefined;
  }
  const branches = branchesOf(task.switch);
  const index = branch === undefined ? -1 : branches.indexOf(branch);
  if (index >= 0) return index;
  throw invalidField('branch', `must be a branch of the switch ${id}: ${branches.join(', ')}`);
}

/** False if the task has changed meanwhile. */
async function skipOne(
  found: FoundTask,
  branch: number | undefined,
  userRequest: UserRequest,
  deps: ApiDeps,
): Promise<boolean> {
  const { run, graph, task } = found;
  const state = derive(graph, run.run).states[task.index]!;
  const end = { status: 'skipped', reason: 'skipped-by-user', userRequest } as const;
  if (state === 'waiting' || (state === 'ready' && isUnsent(found)))
    return endByMark(found, end, branch, deps);
  if (state !== 'ready') throw conflict(`the task ${task.id} is already settled with status ${state}`);
  if (task.task.approval) return decideApproval({ run, graph, index: task.index }, end, 'other', deps);
  if (isChild(task.task)) return skipChild({ run, graph, index: task.index }, end, deps);
  const ref = taskRefIn(run, graph, task.index);
  const row = await deps.executions.get(ref);
  // A stop that finds no head writes one, and nothing lays the fan-out out after that.
  if (!row && isFanOut(task.task)) await stopUnbegun({ run, graph, index: task.index }, deps);
  if (!row) return endUnstarted(unstartedTask(run, ref.execId, end, deps), 'other', deps);
  if (row.status === 'running') throw conflict(`the task ${task.id} is running; cancel it first`);
  if (isTerminal(row.status)) return false;
  const precondition = { kind: 'waiting' } as const;
  return (
    (await endExecution({ execution: row, end, precondition, job: undefined, by: 'other', run }, deps)) !==
    undefined
  );
}

/** Throws `ProblemError` 409 if items of the fan-out may be at work. */
async function stopUnbegun(task: FanOutTask, deps: ApiDeps): Promise<void> {
  const head = await deps.fanOuts.getHead(fanOutRef(task));
  const { id } = task.graph.tasks[task.index]!;
  if (head && head.count > 0) throw conflict(`the task ${id} is running; cancel it first`);
  const at = { nowMs: deps.clock.nowMs(), expiresAtSec: fanOutExpiry(task, deps) };
  const stopped = await deps.fanOuts.stop(fanOutRef(task), 'skipped-by-user', at);
  if (stopped.count > 0) throw conflict(`the task ${id} has just begun; cancel it instead`);
}
