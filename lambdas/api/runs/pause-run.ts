import { DAY_MS } from '../../core/clock/clock';
import { EmptyBody } from '../../core/http/job';
import type { Actor } from '../../core/domain/actor';
import type { Run } from '../../core/domain/execution';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { isAlive } from '../../core/domain/workflow/task-eligibility';
import { holding, resuming } from '../../core/domain/workflow/run-edits';
import { unlist } from '../../core/ending/runs/decide-approval';
import { graphOfRun } from '../../core/ending/runs/mark-task';
import { resendTasks } from '../../core/ending/runs/resend-tasks';
import { goOnWithRun } from '../../core/ending/runs/go-on-with-run';
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
 * finishes. A paused run stays as it is. Order of writes: the run → its place in the list of what waits for a
 * user. A repeat of the request writes that again.
 */
export async function pauseRun(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  readOptionalBody(request, EmptyBody);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { run } = await findRun(request, deps);
    checkRunning(run);
    if (run.run.stop) throw conflict('the run is stopping: only its finally tasks still run');
    const held = run.run.heldAtMs === undefined ? await pause(run, request.by, deps) : run;
    if (!held) continue;
    await listHeld(held, deps);
    return { status: 202, body: await executionView(held, deps) };
  }
  throw tooFast();
}

/** @returns the run, held; undefined: it has moved meanwhile */
async function pause(run: Run, by: Actor, { runs, clock }: ApiDeps): Promise<Run | undefined> {
  const { applied, execution } = await runs.edit(run, holding(by, clock.nowMs()));
  return applied && isAlive(execution) ? execution : undefined;
}

/** Lists a held run. What is listed and is not held does no harm: the list asks the run. */
async function listHeld({ jobKey, execId, run }: Run, { waiting, retentionDays }: ApiDeps): Promise<void> {
  const { heldAtMs } = run;
  if (heldAtMs === undefined) return;
  const expiresAtSec = expiresAtSecAfter(heldAtMs + LISTED_MS, retentionDays);
  await waiting.put({ kind: 'held', jobKey, execId, sinceMs: heldAtMs, expiresAtSec });
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
    if (run.run.heldAtMs === undefined) return { status: 202, body: await executionView(run, deps) };
    await fileRecheck(run, deps);
    const { applied, execution } = await deps.runs.edit(run, resuming(run.run, deps.clock.nowMs()));
    if (!applied || !isAlive(execution)) continue;
    await unlist(run, deps);
    await goOn(execution, deps);
    const current = (await deps.executions.get(run)) ?? execution;
    if (isAlive(current)) await listHeld(current, deps); // paused again, before this took it from the list
    return { status: 202, body: await executionView(current, deps) };
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
