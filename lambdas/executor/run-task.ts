import type { TimeBudget } from '../core/async/time-budget';
import type { Claimed } from '../core/attempts/claim';
import { settleWithoutCall } from '../core/attempts/settle';
import type { Execution, Run } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { isAlive, taskEligibilityOf } from '../core/domain/workflow/task-eligibility';
import { runOf } from '../core/domain/workflow/task-id';
import { taskJobOf } from '../core/domain/workflow/task-job';
import { graphOfRun } from '../core/ending/mark-task';
import { readTaskData } from '../core/ending/read-task-data';
import { resendTask } from '../core/ending/resend-tasks';
import { goOnWithRun } from '../core/ending/run-follow-ups';
import type { ExecutorDeps } from './deps';
import { deliver, loseResults } from './run-attempt';

/**
 * One attempt of a task, from the reading of its run to the written result. A task whose run has ended, or
 * has stopped, ends without a call.
 *
 * @param run as read after the claim; undefined: there is none
 */
export async function runTask(
  claimed: Claimed,
  run: Execution | undefined,
  job: Job | undefined,
  deps: ExecutorDeps,
  limits: TimeBudget,
): Promise<void> {
  const { execution, handle } = claimed;
  const end = (reason: 'stopped' | 'deleted') => ({ status: 'cancelled', reason }) as const;
  if (!isAlive(run)) {
    await settleWithoutCall({ execution, job, handle }, end('stopped'), deps);
    return;
  }
  const graph = await graphOfRun(run, deps);
  const eligibility = taskEligibilityOf(execution, run, graph, job);
  if (!eligibility.call) {
    const { reason } = eligibility;
    if (reason === 'held') return putBack(claimed, run, deps);
    if (reason === 'deleted') await goOnWithRun(run, { fresh: new Set(), by: 'other', jobGone: true }, deps);
    const outcome = await settleWithoutCall({ execution, job, handle, run }, end(reason), deps);
    if (outcome === 'lease-lost') await loseResults(execution, [], handle, deps);
    return;
  }
  const taskJob = taskJobOf(job!, run, graph, eligibility.index);
  const data = await readTaskData({ run, graph, index: eligibility.index }, deps);
  await deliver(claimed, taskJob, { of: run, run, data }, deps, limits);
}

/**
 * The run is held: its task waits without an entry, until the run is resumed. If that has happened meanwhile,
 * the resumption has not seen this row, so its message is sent here.
 */
async function putBack({ execution, handle }: Claimed, { run }: Run, deps: ExecutorDeps): Promise<void> {
  const { attempt, failures, takeovers } = execution;
  const next = { attempt: attempt + 1, startAtMs: deps.clock.nowMs(), failures, takeovers };
  const outcome = await handle.write(() => deps.executions.awaitRetry(handle.lease, next, []));
  if (outcome === 'cancel-requested') {
    const end = { status: 'cancelled', reason: 'stopped' } as const;
    await settleWithoutCall({ execution, job: undefined, handle }, end, deps);
  }
  if (outcome !== 'done') return;
  const now = await deps.executions.get({ jobKey: execution.jobKey, execId: runOf(execution.execId) });
  if (!isAlive(now) || now.run.heldAtMs === run.heldAtMs) return;
  await resendTask({ ...execution, ...next, status: 'retrying' }, now, deps);
}
