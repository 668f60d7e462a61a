import { isDeepStrictEqual } from 'node:util';

import { RetryExecutionBody } from '../../core/http/job';
import { jobRefOf } from '../../core/contracts/tables';
import type { ExecutionMessage } from '../../core/contracts/messages';
import { orderingKeyGate } from '../../core/gates/ordering-key';
import { attemptEntry, attemptMessage, sendOrLeave } from '../../core/queue/attempt-entries';
import { entryOfRepeat } from '../../core/queue/repeated-start';
import { monitorTargetOf } from '../../core/domain/entry-planning';
import { type Execution, isRun } from '../../core/domain/execution';
import { goOnWithParent } from '../../core/ending/runs/go-on-with-parents';
import { startWaitersOf } from '../../core/ending/start-waiters';
import type { IdempotencyStamp, Job } from '../../core/domain/job';
import { afterUserRetry, type UserRetry } from '../../core/domain/user-retry';
import { expiresAtSecAfter, oldestClaimedMs } from '../../core/domain/timing';
import { withinDeadline, startDeadline } from '../../core/store/write-deadline';
import { checkPayload } from '../jobs/definition';
import { checkFit } from '../jobs/payload-schema';
import { keepKeyOf } from './keyed-run';
import { checkRoomForRuns } from './new-run';
import { executionView } from './execution-view';
import { withMergedSkips } from './merge-skipped-ranges';
import { findExecution } from './find-execution';
import { authorOf } from '../http/author';
import { checkNotOwn, deliveryDepthOf } from '../http/loop-guard';
import { stampOf, REPLAYED } from '../http/idempotency-key';
import { type RunRetry, retriedRun } from '../runs/retry-run';
import { conflict, invalidField, keyReused, notFound, notRunHere } from '../http/problem';
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
export const retryExecution = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> =>
  (await retryOneExecution(request, deps)).response;

interface Retried {
  outcome: 'retried' | 'unchanged';
  response: ApiResponse;
}

/** How one of many is retried, in ascending order of due time. */
interface InOrder {
  /** Only what has failed or was skipped by then: what has ended otherwise, or once more, stays as it is. */
  endedByMs: number;
}

/**
 * Retries an execution as `retryExecution` says. With `inOrder`, it also acquires its ordering key if that is
 * free. The last one that held the key would otherwise hold it again once it is retried, and run before older
 * ones.
 */
export async function retryOneExecution(
  request: ApiRequest,
  deps: ApiDeps,
  inOrder?: InOrder,
): Promise<Retried> {
  const deliveryDepth = deliveryDepthOf(request);
  const body = readOptionalBody(request, RetryExecutionBody);
  checkPayload(body.payload);
  const { payload: given, ...ofRun } = body as typeof body & RunRetry;
  const payload = given === undefined ? undefined : { value: given };
  const stamp = stampOf(request, body);
  const key = stamp && (await deps.requestKeys.get(request.project, stamp.keyHash));
  if (key && key.bodyHash !== stamp.bodyHash) throw keyReused();
  const how = {
    deliveryDepth,
    trace: await request.trace?.(),
    payload,
    userRequest: authorOf(request),
    inOrder,
  };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { stored, execution } = await findExecution(request, deps);
    if (!stored)
      throw conflict(`only an execution that has ended can be retried; this one is ${execution.status}`);
    const isRepeat = key !== undefined && key.resultId !== endOf(execution);
    const isWaiting = execution.status === 'retrying';
    if (isWaiting && !isRepeat && payload && !isDeepStrictEqual(payload, execution.payload))
      throw conflict('the execution already waits for a retry with another payload');
    if (isRepeat || isWaiting) {
      await ensureRetryStarted(execution, deps, inOrder);
      return unchanged(execution, deps, isRepeat ? REPLAYED : {});
    }
    if (inOrder && !hadFailedBy(execution, inOrder.endedByMs)) return unchanged(execution, deps);
    checkFields(execution, { payload, ofRun });
    checkRetryable(await withMergedSkips(execution, deps), deps);
    if (stamp && !key) await rememberEnd(execution, stamp, request, deps);
    const job = await deps.jobs.get(jobRefOf(execution.jobKey));
    if (!job) throw notFound('job');
    if (monitorTargetOf(job)) throw notRunHere();
    if (payload) await checkFit(job, payload.value, 'payload');
    checkNotOwn(job, request);
    await checkRoomForRuns(request.project, job.workflow || execution.backfill ? 1 : 0, deps);
    await deps.quotas.chargeRate(request.project, 'runs');
    // The retry undoes the end. What waits for it may not have been told: the process may have died.
    if (execution.awaited) await startWaitersOf(execution, deps);
    await goOnWithParent(execution, deps);
    const ofNow = isRun(execution) ? await retriedRun(request, execution, job, ofRun, deps) : undefined;
    const retried = await startRetry(execution, job, { ...how, ...ofNow }, deps);
    if (retried)
      return { outcome: 'retried', response: { status: 202, body: await executionView(retried, deps) } };
  }
  throw conflict('other requests keep changing the execution; read it again and repeat the request');
}

const unchanged = async (
  execution: Execution,
  deps: ApiDeps,
  headers: Record<string, string> = {},
): Promise<Retried> => ({
  outcome: 'unchanged',
  response: { status: 202, headers, body: await executionView(execution, deps) },
});

const hadFailedBy = ({ status, finishedAtMs = 0 }: Execution, endedByMs: number): boolean =>
  (status === 'failed' || status === 'skipped') && finishedAtMs <= endedByMs;

/**
 * Names the end that a retry undoes. While a key's result names the execution's present end, its retry is not
 * done.
 */
const endOf = ({ finishedAtMs }: Execution): string => String(finishedAtMs);

async function rememberEnd(
  execution: Execution,
  stamp: IdempotencyStamp,
  { project }: ApiRequest,
  { requestKeys, clock, retentionDays }: ApiDeps,
): Promise<void> {
  const expiresAtSec = expiresAtSecAfter(clock.nowMs(), retentionDays);
  await requestKeys.putUnlessKnown({ userId: project, ...stamp, resultId: endOf(execution), expiresAtSec });
}

/** Throws `ProblemError` 400: a run has no payload, and nothing else has tasks. */
function checkFields(execution: Execution, asked: { payload: unknown; ofRun: object }): void {
  if (isRun(execution)) {
    if (asked.payload !== undefined)
      throw invalidField('payload', 'is not allowed for a run, whose tasks have inputs of their own');
    return;
  }
  const [field] = Object.keys(asked.ofRun);
  if (field !== undefined) throw invalidField(field, 'is only allowed for a run of a workflow');
}

function checkRetryable(execution: Execution, { clock, retentionDays }: ApiDeps): void {
  if (execution.run) return; // `retriedRun` checks it
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
  {
    inOrder,
    ...how
  }: Pick<UserRetry, 'deliveryDepth' | 'trace' | 'payload' | 'userRequest' | 'run' | 'hasParams'> & {
    inOrder?: InOrder;
  },
  deps: ApiDeps,
): Promise<Execution | undefined> {
  const deadline = startDeadline(deps.clock);
  // An execution that was cancelled ahead of its due time still does not start early.
  const startAtMs = Math.max(deadline.nowMs, seen.dueAtMs);
  // A backfill passes no gate: its dates do.
  const orderingKey = seen.backfill ? undefined : (job.orderingKey ?? undefined);
  const retry = { startAtMs, ...how, orderingKey };
  const retried = afterUserRetry(seen, retry);
  await keepKeyOf(seen, deps);
  await deps.schedule.putEntries([await attemptEntry({ ...retried, startAtMs }, deps)], deadline.leftMs());
  const outcome = await withinDeadline(
    deadline,
    (options) => deps.executions.userRetry(seen, retry, options),
    deps,
  );
  if (outcome !== 'done') return undefined;
  await sendRetry(attemptMessage(retried, { attempt: 1, startAtMs }, job), deps, inOrder);
  return retried;
}

/**
 * Starts a retry whose first request may have been given up before its row was written. If the row came later
 * than the recheck of its entry, nothing else would start it. Throws `ProblemError` 429 if an entry is to be
 * filed, and the minute has no room for it.
 */
async function ensureRetryStarted(
  execution: Execution,
  deps: ApiDeps,
  inOrder: InOrder | undefined,
): Promise<void> {
  if (execution.status !== 'retrying' || execution.attempt !== 1) return;
  const entry = await entryOfRepeat(execution, deps);
  if (!entry && !inOrder) return;
  const job = await deps.jobs.get(jobRefOf(execution.jobKey));
  if (entry) {
    await deps.quotas.chargeRate(jobRefOf(execution.jobKey).userId, 'changes');
    await deps.schedule.putEntries([entry]);
  }
  if (!job) return;
  const startAtMs = Math.max(deps.clock.nowMs(), execution.startAtMs ?? 0);
  const message = attemptMessage(execution, { attempt: 1, startAtMs }, job);
  if (inOrder) await orderingKeyGate.admit(message, deps);
  if (entry) await sendOrLeave(message, deps);
}

/**
 * An ordering key that cannot be acquired is an error, because those that are retried next must wait behind
 * this one.
 */
async function sendRetry(
  message: ExecutionMessage,
  deps: ApiDeps,
  inOrder: InOrder | undefined,
): Promise<void> {
  if (inOrder) await orderingKeyGate.admit(message, deps);
  await sendOrLeave(message, deps);
}
