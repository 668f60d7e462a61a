import { isDeepStrictEqual } from 'node:util';

import { RetryExecutionBody } from '../../core/http/job';
import { jobRefOf } from '../../core/contracts/tables';
import { attemptEntry, attemptMessage, sendIfDirect } from '../../core/queue/attempt-entries';
import type { Execution } from '../../core/domain/execution';
import type { IdempotencyStamp, Job } from '../../core/domain/job';
import { afterUserRetry, type UserRetry } from '../../core/domain/user-retry';
import { expiresAtSecAfter, oldestClaimedMs } from '../../core/domain/timing';
import { withinDeadline, startDeadline } from '../http/write-deadline';
import { checkPayload } from '../jobs/definition';
import { executionView } from './execution-view';
import { withFollowingSkips } from './merge-skipped-ranges';
import { findExecution } from './find-execution';
import { checkNotOwn, deliveryDepthOf } from '../http/loop-guard';
import { stampOf, REPLAYED } from '../http/idempotency-key';
import { conflict, keyReused, notFound } from '../http/problem';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const MAX_TRIES = 3;

/**
 * 202: the same execution runs again, with attempts from 1. It must have failed, or been cancelled or
 * skipped. With `payload`, the targets get that one. An execution that already waits for a retry stays as it
 * is; if it has another payload than the request, the answer is 409. So does the execution of a request
 * that repeats an `Idempotency-Key`, whatever its status is by now. Order of writes: the entry of the attempt
 * → the row → the message.
 */
export async function retryExecution(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const deliveryDepth = deliveryDepthOf(request);
  const body = readOptionalBody(request, RetryExecutionBody);
  checkPayload(body.payload);
  const payload = body.payload === undefined ? undefined : { value: body.payload };
  const stamp = stampOf(request, body);
  const key = stamp && (await deps.requestKeys.get(request.userId, stamp.keyHash));
  if (key && key.bodyHash !== stamp.bodyHash) throw keyReused();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { stored, execution } = await findExecution(request, deps);
    if (!stored)
      throw conflict(`only an execution that has ended can be retried; this one is ${execution.status}`);
    if (key && key.resultId !== endOf(execution))
      return { status: 202, headers: REPLAYED, body: executionView(execution) };
    if (execution.status === 'retrying') {
      if (payload && !isDeepStrictEqual(payload, execution.payload))
        throw conflict('the execution already waits for a retry with another payload');
      return { status: 202, body: executionView(execution) };
    }
    checkRetryable(await withFollowingSkips(execution, request, deps), deps);
    if (stamp && !key) await rememberEnd(execution, stamp, request, deps);
    const job = await deps.jobs.get(jobRefOf(execution.jobKey));
    if (!job) throw notFound('job');
    checkNotOwn(job, request);
    const retried = await startRetry(execution, job, { deliveryDepth, payload }, deps);
    if (retried) return { status: 202, body: executionView(retried) };
  }
  throw conflict('other requests keep changing the execution; read it again and repeat the request');
}

/**
 * Names the end that a retry undoes. While a key's result names the execution's present end, its retry is not
 * done.
 */
const endOf = ({ finishedAtMs }: Execution): string => String(finishedAtMs);

async function rememberEnd(
  execution: Execution,
  stamp: IdempotencyStamp,
  { userId }: ApiRequest,
  { requestKeys, clock, retentionDays }: ApiDeps,
): Promise<void> {
  const expiresAtSec = expiresAtSecAfter(clock.nowMs(), retentionDays);
  await requestKeys.putUnlessKnown({ userId, ...stamp, resultId: endOf(execution), expiresAtSec });
}

function checkRetryable(execution: Execution, { clock, retentionDays }: ApiDeps): void {
  const { status, skipped, dueAtMs } = execution;
  if (status !== 'failed' && status !== 'cancelled' && status !== 'skipped') {
    throw conflict(`only a failed, cancelled or skipped execution can be retried; this one is ${status}`);
  }
  if (skipped && skipped.count > 1)
    throw conflict(`the record covers ${skipped.count} skipped occurrences; run the job instead`);
  if (dueAtMs < oldestClaimedMs(clock.nowMs(), retentionDays)) {
    throw conflict(
      `an execution can be retried for ${retentionDays - 1} days after it was due; run the job instead`,
    );
  }
}

/** Undefined if the execution has changed meanwhile. */
async function startRetry(
  seen: Execution,
  job: Job,
  how: Pick<UserRetry, 'deliveryDepth' | 'payload'>,
  deps: ApiDeps,
): Promise<Execution | undefined> {
  const deadline = startDeadline(deps.clock);
  // An execution that was cancelled ahead of its due time still does not start early.
  const startAtMs = Math.max(deadline.nowMs, seen.dueAtMs);
  const wait = { ...seen, attempt: 1, startAtMs };
  await deps.schedule.putEntries([await attemptEntry(wait, deps)], deadline.leftMs());
  const outcome = await withinDeadline(
    deadline,
    () => deps.executions.userRetry(seen, { startAtMs, ...how }),
    deps,
  );
  if (outcome !== 'done') return undefined;
  const retried = afterUserRetry(seen, { startAtMs, ...how });
  try {
    await sendIfDirect(attemptMessage(retried, wait, job), deps);
  } catch (error) {
    deps.log.error('a retry is left to the recheck', error, { jobKey: seen.jobKey, execId: seen.execId });
  }
  return retried;
}
