import { EmptyBody } from '../../core/http/job';
import { jobRefOf } from '../../core/contracts/tables';
import { attemptEntry, attemptMessage, sendIfDirect } from '../../core/queue/attempt-entries';
import type { Execution } from '../../core/domain/execution';
import type { IdempotencyStamp, Job } from '../../core/domain/job';
import { afterUserRetry } from '../../core/domain/user-retry';
import { expiresAtSecAfter, oldestClaimedMs } from '../../core/domain/timing';
import { withinDeadline, startDeadline } from '../http/write-deadline';
import { executionView } from './execution-view';
import { asListed } from './as-listed';
import { checkNotOwn } from '../jobs/definition';
import { findExecution } from './find-execution';
import { deliveryDepthOf } from '../http/loop-guard';
import { stampOf, REPLAYED } from '../http/idempotency-key';
import { conflict, notFound } from '../http/problem';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const MAX_TRIES = 3;

/**
 * 202: the same execution once more, attempts from 1. Only what failed, was cancelled or skipped; one that waits for an
 * attempt is answered alike, and so is a repeat by `Idempotency-Key`, whatever came of it since. Order of writes: the
 * entry of the attempt → the row → the message.
 */
export async function retryExecution(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const deliveryDepth = deliveryDepthOf(request);
  const mark = stampOf(request, readOptionalBody(request, EmptyBody));
  const key = mark && (await deps.requestKeys.get(request.userId, mark.keyHash));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { stored, execution } = await findExecution(request, deps);
    if (!stored) throw conflict(`there is nothing to be run again: the execution is ${execution.status}`);
    if (key && key.resultId !== endOf(execution))
      return { status: 202, headers: REPLAYED, body: executionView(execution) };
    if (execution.status === 'retrying') return { status: 202, body: executionView(execution) };
    checkRetryable(await asListed(execution, request, deps), deps);
    if (mark && !key) await rememberEnd(execution, mark, request, deps);
    const job = await deps.jobs.get(jobRefOf(execution.jobKey));
    if (!job) throw notFound('job');
    checkNotOwn(job, request);
    const userRetried = await userRetry(execution, job, deliveryDepth, deps);
    if (userRetried) return { status: 202, body: executionView(userRetried) };
  }
  throw conflict('the execution keeps changing; read it again and repeat');
}

/** The end that a retry undoes. While its key names the end as it stands, the retry has not been done. */
const endOf = ({ finishedAtMs }: Execution): string => String(finishedAtMs);

async function rememberEnd(
  execution: Execution,
  mark: IdempotencyStamp,
  { userId }: ApiRequest,
  { requestKeys, clock, retentionDays }: ApiDeps,
): Promise<void> {
  const expiresAtSec = expiresAtSecAfter(clock.nowMs(), retentionDays);
  await requestKeys.putUnlessKnown({ userId, ...mark, resultId: endOf(execution), expiresAtSec });
}

function checkRetryable(execution: Execution, { clock, retentionDays }: ApiDeps): void {
  const { status, skipped, dueAtMs } = execution;
  if (status !== 'failed' && status !== 'cancelled' && status !== 'skipped') {
    throw conflict(`only a failed, cancelled or skipped execution can be retried; it is ${status}`);
  }
  if ((skipped?.count ?? 1) > 1)
    throw conflict('the record stands for several occurrences; run the job instead');
  if (dueAtMs < oldestClaimedMs(clock.nowMs(), retentionDays)) {
    throw conflict('the execution is nearly as old as retention; run the job instead');
  }
}

/** Undefined where somebody else was faster. */
async function userRetry(
  seen: Execution,
  job: Job,
  deliveryDepth: number | undefined,
  deps: ApiDeps,
): Promise<Execution | undefined> {
  const stamp = startDeadline(deps.clock);
  // One that was cancelled ahead of its time is not early for that.
  const startAtMs = Math.max(stamp.nowMs, seen.dueAtMs);
  const wait = { ...seen, attempt: 1, startAtMs };
  await deps.schedule.putEntries([await attemptEntry(wait, deps)], stamp.leftMs());
  const outcome = await withinDeadline(
    stamp,
    () => deps.executions.userRetry(seen, { startAtMs, deliveryDepth }),
    deps,
  );
  if (outcome !== 'done') return undefined;
  const userRetried = afterUserRetry(seen, { startAtMs, deliveryDepth });
  try {
    await sendIfDirect(attemptMessage(userRetried, wait, job), deps);
  } catch (error) {
    deps.log.error('a retry is left to the second look', error, { jobKey: seen.jobKey, execId: seen.execId });
  }
  return userRetried;
}
