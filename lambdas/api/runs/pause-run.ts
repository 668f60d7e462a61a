import { DAY_MS } from '../../core/clock/clock';
import { EmptyBody } from '../../core/http/job';
import type { Run } from '../../core/domain/execution';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { isAlive } from '../../core/domain/workflow/task-eligibility';
import { holding, resuming } from '../../core/domain/workflow/run-edits';
import { unlist } from '../../core/ending/runs/decide-approval';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import { resendTasks } from '../../core/ending/runs/resend-tasks';
import { goOnWithRun } from '../../core/ending/runs/run-follow-ups';
import { executionView } from '../executions/execution-view';
import { fileRecheck } from '../executions/file-recheck';
import { readOptionalBody } from '../http/parse-request';
import { conflict } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { findRun } from './find-run';

const MAX_TRIES = 10;
const LISTED_MS = 62 * DAY_MS;

/**
 * 202: the run is paused. Once this has answered, no task of it begins to call; what is being called
 * finishes. A paused run stays as it is.
 */
export async function pauseRun(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  readOptionalBody(request, EmptyBody);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { run } = await findRun(request, deps);
    checkRunning(run);
    if (run.run.stop) throw conflict('the run is stopping: only its finally tasks still run');
    if (run.run.heldAtMs !== undefined) return { status: 202, body: executionView(run) };
    const nowMs = deps.clock.nowMs();
    const { applied, execution } = await deps.runs.edit(run, holding(request.by, nowMs));
    if (!applied || !execution) continue;
    const { jobKey, execId } = run;
    const expiresAtSec = expiresAtSecAfter(nowMs + LISTED_MS, deps.retentionDays);
    await deps.waiting.put({ kind: 'held', jobKey, execId, sinceMs: nowMs, expiresAtSec });
    return { status: 202, body: executionView(execution) };
  }
  throw tooFast();
}

/**
 * 202: a held run goes on, and the end of its time moves by the time that it was held. Order of writes: the
 * entry of its recheck → the run → the messages of its tasks.
 */
export async function resumeRun(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  readOptionalBody(request, EmptyBody);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { run } = await findRun(request, deps);
    checkRunning(run);
    if (run.run.heldAtMs === undefined) return { status: 202, body: executionView(run) };
    await fileRecheck(run, deps);
    const { applied, execution } = await deps.runs.edit(run, resuming(run.run, deps.clock.nowMs()));
    if (!applied || !isAlive(execution)) continue;
    await unlist(run, deps);
    await goOn(execution, deps);
    return { status: 202, body: executionView((await deps.executions.get(run)) ?? execution) };
  }
  throw tooFast();
}

async function goOn(run: Run, deps: ApiDeps): Promise<void> {
  try {
    const graph = await graphOfRun(run, deps);
    const fresh = await resendTasks(run, graph, deps);
    await goOnWithRun(run, { fresh, by: 'other' }, deps);
  } catch (error) {
    deps.log.error('a resumed run is left to its recheck', error, { job: run.jobKey, execId: run.execId });
  }
}

export function checkRunning({ status, claimId }: Run): void {
  if (status === 'running' && claimId === undefined) return;
  if (status === 'running' || status === 'retrying') throw conflict('the run is about to start again');
  throw conflict(`the run has already ended with status ${status}`);
}

export const tooFast = () =>
  conflict('other requests keep changing the run; read it again and repeat the request');
