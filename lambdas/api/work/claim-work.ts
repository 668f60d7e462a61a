import { createHmac } from 'node:crypto';

import { type ClaimedWork, workOf } from '../../core/attempts/claim-ticket';
import { MINUTE_MS, SECOND_MS, instantText } from '../../core/clock/clock';
import { depthAfter } from '../../core/contracts/loop-guard';
import { SHARED_CLAIM_CONCURRENCY, type WorkQueueRef } from '../../core/contracts/work-keys';
import type { Sampling } from '../../core/contracts/otlp';
import { payloadOf } from '../../core/domain/execution';
import { allowsQueue, workerTargetOf } from '../../core/domain/work';
import { ClaimBody } from '../../core/http/work';
import type { ClaimView, WorkView } from '../../core/http/openapi/work';
import { isRetryable } from '../../core/is-retryable';
import type { WaitSeat } from '../../core/store/work-store';
import { parseDuration } from '../../core/schedule/duration';
import type { IdempotencyStamp } from '../../core/domain/job';
import { jobRefOf } from '../../core/contracts/tables';
import { sealAttemptToken } from '../../core/delivery/attempt-token';
import { traceHeadersOf } from '../../core/delivery/trace-ids';
import { runOf, taskRefOf } from '../../core/domain/workflow/task-id';
import { stampOf } from '../http/idempotency-key';
import { readBody } from '../http/parse-request';
import { forbidden, keyReused } from '../http/problem';
import type { ApiRequest, ApiResponse, ApiDeps } from '../request';
import { claimFrom, type Claiming, type WorkDeps } from './claim-from-queue';

/**
 * Parts of the function's processes that claims may hold while they wait for work: those of one project, and
 * all. The rest is for claims that do not wait.
 */
const WAITING_SHARE = { ofProject: 0.25, ofAll: 0.75 } as const;
/** No project has this name. */
const ALL_PROJECTS = '#all';
/** Pause between two reads of a claim that waits. */
const READ_EVERY_MS = SECOND_MS / 2;
/** No claim of an execution begins later than this after the request: the gateway gives up after 30 s. */
const CLAIM_WITHIN_MS = 24 * SECOND_MS;
/** A worker is noted this often at most, and is listed for an hour. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;
export const SEEN_FOR_MS = 60 * MINUTE_MS;
/** Seconds after which to ask again, where a claim could not wait. */
const RETRY_AFTER = { inMaintenance: 15, throttled: 2, tooManyWait: 5 } as const;

/**
 * 200 with claimed work of a queue; none if none is due. With `wait`, it reads the queue twice a second until
 * there is some. Throws `ProblemError` 403 for a queue that the caller's key does not name.
 */
export async function claimWork(request: ApiRequest, deps: WorkDeps): Promise<ApiResponse> {
  const nowMs = deps.clock.nowMs();
  const receivedAtMs = Math.min(request.receivedAtMs ?? nowMs, nowMs);
  const body = readBody(request, ClaimBody);
  const { project: userId } = request;
  if (!allowsQueue(request.identity?.queues, body.queue))
    throw forbidden(`the API key may not claim from the work queue ${body.queue}`);
  const stamp = stampOf(request, body);
  const repeated = stamp && (await repeatedClaim(userId, stamp, body.queue, deps));
  if (repeated) return answer(repeated, deps);
  if (await deps.inMaintenance()) return noWork(RETRY_AFTER.inMaintenance);
  const queue = { userId, queue: body.queue };
  if (body.worker !== undefined) await noteWorker(queue, body.worker, deps);
  const claiming: Claiming = {
    queue,
    max: body.max,
    worker: body.worker,
    claimIdOf: await claimIdsOf(stamp, userId, deps),
    stamp,
    untilMs: receivedAtMs + CLAIM_WITHIN_MS,
  };
  try {
    const work = await claimFrom(claiming, { consistent: true }, deps);
    const waitMs = parseDuration(body.wait);
    if (work.length > 0 || waitMs === 0) return await answer(work, deps);
    return await waitForWork(claiming, receivedAtMs + waitMs, deps);
  } catch (error) {
    if (!isRetryable(error)) throw error;
    deps.log.warn('a claim found no store', { queue: body.queue, error });
    return noWork(RETRY_AFTER.throttled);
  }
}

/** Reads the queue until there is work, from seats that are free again if this process dies. */
async function waitForWork(claiming: Claiming, untilMs: number, deps: WorkDeps): Promise<ApiResponse> {
  const { userId } = claiming.queue;
  const { ofProject, ofAll } = WAITING_SHARE;
  return seated(userId, ofProject, untilMs, deps, () =>
    seated(ALL_PROJECTS, ofAll, untilMs, deps, () => readUntilWork(claiming, untilMs, deps)),
  );
}

/** Waits on one of the seats of `whose`. If none is free, the caller is to ask again. */
async function seated(
  whose: string,
  share: number,
  untilMs: number,
  deps: WorkDeps,
  wait: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const seats = Math.max(1, Math.floor((deps.claimConcurrency ?? SHARED_CLAIM_CONCURRENCY) * share));
  const nowMs = deps.clock.nowMs();
  if (nowMs >= untilMs) return noWork();
  const seat = await deps.work.takeWait(whose, { nowMs, untilMs, seats });
  if (seat === undefined) return noWork(RETRY_AFTER.tooManyWait);
  try {
    return await wait();
  } finally {
    await leave(whose, seat, deps);
  }
}

async function readUntilWork(claiming: Claiming, untilMs: number, deps: WorkDeps): Promise<ApiResponse> {
  for (let pauseMs = READ_EVERY_MS * deps.random.fraction(); ; pauseMs = READ_EVERY_MS) {
    const leftMs = untilMs - deps.clock.nowMs();
    if (leftMs <= 0) return noWork();
    await deps.clock.sleep(Math.min(pauseMs, leftMs));
    const work = await claimFrom(claiming, { consistent: false }, deps);
    if (work.length > 0) return await answer(work, deps);
  }
}

/** A seat that cannot be given back is free again after its time. */
async function leave(whose: string, seat: WaitSeat, deps: WorkDeps): Promise<void> {
  try {
    await deps.work.leaveWait(whose, seat);
  } catch (error) {
    deps.log.warn('the seat of a waiting claim was not given back', { error });
  }
}

const noteWorker = (queue: WorkQueueRef, worker: string, { work, clock }: WorkDeps): Promise<void> => {
  const nowMs = clock.nowMs();
  return work.saw(queue, worker, {
    nowMs,
    unlessSinceMs: nowMs - SEEN_EVERY_MS,
    expiresAtSec: Math.ceil((nowMs + SEEN_FOR_MS) / SECOND_MS),
  });
};

const noWork = (retryAfter?: number): ApiResponse => ({
  status: 200,
  body: { work: [], ...(retryAfter !== undefined && { retryAfter }) } satisfies ClaimView,
});

async function answer(work: readonly ClaimedWork[], deps: WorkDeps): Promise<ApiResponse> {
  const keys = { secret: await deps.secret.get(), sampling: deps.sampling ?? null };
  return { status: 200, body: { work: work.map((one) => workView(one, keys)) } satisfies ClaimView };
}

/**
 * What an earlier claim with the same key has got and still holds: the same fences and tokens. Undefined if
 * the key is new, or its record has expired. Throws `ProblemError` 422 if the body differs.
 */
async function repeatedClaim(
  userId: string,
  stamp: IdempotencyStamp,
  queue: string,
  deps: WorkDeps,
): Promise<ClaimedWork[] | undefined> {
  const record = await deps.work.getClaim(userId, stamp.keyHash);
  if (!record || record.expiresAtSec * SECOND_MS <= deps.clock.nowMs()) return undefined;
  if (record.bodyHash !== stamp.bodyHash) throw keyReused();
  const claimIdOf = await claimIdsOf(stamp, userId, deps);
  const held: ClaimedWork[] = [];
  for (const [index, ref] of record.work.entries()) {
    const row = await deps.executions.get(ref);
    if (row?.status !== 'running' || row.claimId !== claimIdOf(index)) continue;
    const work = await workOf(row, queue, deps);
    if (work) held.push(work);
  }
  return held;
}

/**
 * With an `Idempotency-Key`, the ids of claims follow from it and from the body: a repeated claim knows its
 * own. Another body may come with the same key before the key has a record. It must not get that work too.
 */
async function claimIdsOf(
  stamp: IdempotencyStamp | undefined,
  userId: string,
  { secret, random }: Pick<ApiDeps, 'secret' | 'random'>,
): Promise<(index: number) => string> {
  if (!stamp) return () => random.id();
  const key = await secret.get();
  const claim = ['work-claim', userId, stamp.keyHash, stamp.bodyHash].join('\n');
  return (index) => createHmac('sha256', key).update(`${claim}\n${index}`).digest('base64url');
}

/** Claimed work as its worker gets it. The same claim gives the same view. */
function workView(
  { execution, lease, job, of }: ClaimedWork,
  keys: { secret: Buffer; sampling: Sampling | null },
): WorkView {
  const { execId, attempt, fence, dueAtMs, claimedAtMs = dueAtMs, delegatedTo, trigger } = execution;
  const task = taskRefOf(execId);
  const payload = payloadOf(execution, job);
  return {
    token: sealAttemptToken(lease, keys.secret),
    jobId: jobRefOf(execution.jobKey).jobId,
    execId: runOf(execId),
    ...(task && { taskId: task.task }),
    ...(execution.key !== undefined && { key: execution.key }),
    attempt,
    fence,
    dueAt: instantText(dueAtMs),
    claimedAt: instantText(claimedAtMs),
    deadline: instantText(delegatedTo?.endsAtMs ?? claimedAtMs),
    heartbeatTimeout: workerTargetOf(job)!.heartbeatTimeout,
    ...(payload !== undefined && { payload }),
    trigger: trigger as Exclude<typeof trigger, 'ping'>, // no worker gets what pings start
    deliveryDepth: depthAfter(execution.deliveryDepth ?? job.deliveryDepth),
    ...traceHeadersOf(execution, of, 0, keys),
  };
}
