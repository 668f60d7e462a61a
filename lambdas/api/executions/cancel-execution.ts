import { CancelExecutionBody } from '../../core/http/job';
import { jobRefOf } from '../../core/contracts/tables';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { endExecution, endUnstarted } from '../../core/ending/end-execution';
import { keepRangeWhole } from '../../core/ending/skip-ranges';
import { type Execution, isRun, type UserRequest } from '../../core/domain/execution';
import { isTerminal } from '../../core/domain/transitions';
import { type AnyExecution, executionView } from './execution-view';
import { fileRecheckOfRepeat, fileRecheckOfStop } from './file-recheck';
import { findExecution, type Found } from './find-execution';
import { authorOf } from '../http/author';
import { conflict, invalidField } from '../http/problem';
import { unblockKey } from '../ordering-keys/ordering-keys';
import { cancelRun } from '../runs/cancel-run';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const MAX_TRIES = 5;
const CANCELLED_BY_USER = 'cancelled-by-user';

/**
 * 202. A waiting execution never starts. For a running one, the cancellation is requested; the process that
 *   holds its lease sees the request at its next heartbeat. A run stops: its finally tasks run, unless
 *   `force`. A cancelled one stays as it is. A failed one that blocks its ordering key stops blocking it.
 */
export async function cancelExecution(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { force = false } = readOptionalBody(request, CancelExecutionBody);
  const userRequest = authorOf(request);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findExecution(request, deps);
    const { status } = found.execution;
    if (status === 'cancelled') return { status: 202, body: await executionView(found.execution, deps) };
    if (found.stored && found.execution.blocksKey)
      return { status: 202, body: await executionView(await releaseBlocked(found.execution, deps), deps) };
    const isOfRun = found.stored && isRun(found.execution);
    if (force && !isOfRun) throw invalidField('force', 'is only for an execution that has started as a run');
    if (isTerminal(status)) throw conflict(`the execution has already ended with status ${status}`);
    const cancelled =
      found.stored && isRun(found.execution)
        ? await cancelRun(found.execution, { userRequest, force }, deps)
        : status === 'running'
          ? await requestCancel(found, userRequest, deps)
          : await cancelWaiting(found, userRequest, deps);
    if (cancelled) return { status: 202, body: await executionView(cancelled, deps) };
  }
  throw conflict('other requests keep changing the execution; read it again and repeat the request');
}

/**
 * Undefined if the execution has changed meanwhile. Its process may be dead, and its entries may be settled:
 * then the recheck of a new entry ends it.
 */
async function requestCancel(
  { execution }: Found,
  userRequest: UserRequest,
  deps: ApiDeps,
): Promise<AnyExecution | undefined> {
  const { cancelRequested } = execution;
  if (cancelRequested) {
    await fileRecheckOfRepeat(execution, cancelRequested.atMs, deps);
    return execution;
  }
  await fileRecheckOfStop(execution, deps);
  const outcome = await deps.executions.requestCancel(execution, {
    reason: CANCELLED_BY_USER,
    atMs: deps.clock.nowMs(),
    userRequest,
  });
  return outcome === 'done' ? { ...execution, userRequest } : undefined;
}

/**
 * Undefined if the execution has changed meanwhile. A planned occurrence gets its row now, so that no claim
 * finds it new.
 */
async function cancelWaiting(
  found: Found,
  userRequest: UserRequest,
  deps: ApiDeps,
): Promise<Execution | undefined> {
  const job = await deps.jobs.get(jobRefOf(found.execution.jobKey));
  const end = { status: 'cancelled', reason: CANCELLED_BY_USER, userRequest } as const;
  if (found.stored) {
    const precondition = { kind: 'waiting' } as const;
    return endExecution({ execution: found.execution, end, precondition, job, by: 'other' }, deps);
  }
  const finishedAtMs = deps.clock.nowMs();
  // From the due time if that is later: the row must outlive every message of its occurrence.
  const expiresAtSec = expiresAtSecAfter(Math.max(finishedAtMs, found.execution.dueAtMs), deps.retentionDays);
  const cancelled: Execution = { ...found.execution, ...end, finishedAtMs, expiresAtSec };
  if (!(await endUnstarted(cancelled, 'other', deps))) return undefined;
  await keepRangeWhole(cancelled, deps);
  return cancelled;
}

/** A failed execution that blocks its ordering key stays failed, and releases the key. */
async function releaseBlocked(seen: Execution, deps: ApiDeps): Promise<Execution> {
  const { blocksKey: _, ...execution } = seen;
  await unblockKey(execution, deps);
  return execution;
}
