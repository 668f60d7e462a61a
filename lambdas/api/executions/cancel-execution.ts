import { EmptyBody } from '../../core/http/job';
import { jobRefOf } from '../../core/contracts/tables';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { releaseGates } from '../../core/gates/release';
import { restoreRangeTail } from '../../core/history/skip-ranges';
import type { Execution } from '../../core/domain/execution';
import { isTerminal } from '../../core/domain/transitions';
import { type AnyExecution, executionView } from './execution-view';
import { findExecution, type Found } from './find-execution';
import { conflict } from '../http/problem';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const MAX_TRIES = 5;
const CANCELLED_BY_USER = 'cancelled-by-user';

/**
 * 202: one that waits will not start any more, one that runs is asked to end (its holder sees that at the
 * next heartbeat). One that was cancelled before is answered alike. One that has failed and blocks its ordering key lets the
 * others go on.
 */
export async function cancelExecution(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  readOptionalBody(request, EmptyBody);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findExecution(request, deps);
    const { status } = found.execution;
    if (status === 'cancelled') return { status: 202, body: executionView(found.execution) };
    if (found.stored && found.execution.blocksKey)
      return { status: 202, body: executionView(await releaseAfterCancel(found.execution, deps)) };
    if (isTerminal(status)) throw conflict(`the execution has ended already: it is ${status}`);
    const cancelled = status === 'running' ? await requestEnd(found, deps) : await cancelWaiting(found, deps);
    if (cancelled) return { status: 202, body: executionView(cancelled) };
  }
  throw conflict('the execution keeps changing; read it again and repeat');
}

/** Undefined where it moved on meanwhile. */
async function requestEnd(
  { execution }: Found,
  { executions, clock }: ApiDeps,
): Promise<AnyExecution | undefined> {
  const outcome = await executions.requestCancel(execution, {
    reason: CANCELLED_BY_USER,
    atMs: clock.nowMs(),
  });
  return outcome === 'done' ? execution : undefined;
}

/** Undefined where it moved on meanwhile. A planned one gets its row now, so that no claim finds it new. */
async function cancelWaiting(found: Found, deps: ApiDeps): Promise<Execution | undefined> {
  const finishedAtMs = deps.clock.nowMs();
  const { dueAtMs } = found.execution;
  const ending = {
    status: 'cancelled',
    reason: CANCELLED_BY_USER,
    finishedAtMs,
    // counted from the due time where that is later: the row must outlive every message of its occurrence
    expiresAtSec: expiresAtSecAfter(Math.max(finishedAtMs, dueAtMs), deps.retentionDays),
  } as const;
  const cancelled: Execution = { ...found.execution, ...ending };
  const ended = found.stored
    ? (await deps.executions.endWaiting(found.execution, ending)) === 'done'
    : (await deps.executions.putSkipped(cancelled)) === 'written';
  if (!ended) return undefined;
  if (!found.stored) await restoreRangeTail(cancelled, deps);
  await releaseGates(cancelled, await deps.jobs.get(jobRefOf(cancelled.jobKey)), deps);
  return cancelled;
}

/** A failed one that blocks its ordering key stays failed, and blocks no more. */
async function releaseAfterCancel(seen: Execution, deps: ApiDeps): Promise<Execution> {
  await deps.executions.unblock(seen);
  const { blocksKey: _, ...execution } = seen;
  await releaseGates(execution, await deps.jobs.get(jobRefOf(seen.jobKey)), deps);
  return execution;
}
