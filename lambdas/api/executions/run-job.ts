import { RunBody } from '../../core/http/job';
import { execIdOfManualRun, jobKeyOf, parseCompactInstant } from '../../core/contracts/tables';
import { attemptEntry, attemptMessage, sendIfDirect } from '../../core/queue/attempt-entries';
import { expiresAtSecAfter } from '../../core/domain/timing';
import type { Execution } from '../../core/domain/execution';
import type { IdempotencyStamp, Job } from '../../core/domain/job';
import { withinDeadline, startDeadline } from '../http/write-deadline';
import { checkNotOwn, checkPayload } from '../jobs/definition';
import { executionView } from './execution-view';
import { deliveryDepthOf } from '../http/loop-guard';
import { stampOf, REPLAYED } from '../http/idempotency-key';
import { keyReused, notFound } from '../http/problem';
import { requestedJob, readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 202 with a manual run. It leaves the schedule alone, and a paused job may be run too. Order of writes: the
 * entry of its first attempt → its row, which waits for that attempt → the message.
 */
export async function runJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const body = readOptionalBody(request, RunBody);
  checkPayload(body.payload);
  const deliveryDepth = deliveryDepthOf(request);
  const mark = stampOf(request, body);
  const job = await deps.jobs.get(ref);
  if (!job) throw notFound('job');

  const { execId, known } = await execIdFor(job, mark, deps);
  const jobKey = jobKeyOf(ref);
  const before = known ? await deps.executions.get({ jobKey, execId }) : undefined;
  if (before) {
    if (before.status === 'queued' && before.fence === 0) await makeSureItRuns(before, job, deps);
    return accepted(before, REPLAYED);
  }
  checkNotOwn(job, request);
  const run = await startRun(job, execId, { ...body, deliveryDepth }, deps);
  return accepted(run, known ? REPLAYED : {});
}

const accepted = (run: Execution, headers: Record<string, string>): ApiResponse => {
  const body = executionView(run);
  return {
    status: 202,
    headers: { location: `/v1/jobs/${body.jobId}/executions/${body.execId}`, ...headers },
    body,
  };
};

/** A new id, or the one that an earlier request with the same key was given. Throws `ProblemError` 422. */
async function execIdFor(
  job: Job,
  mark: IdempotencyStamp | undefined,
  { clock, random, requestKeys, retentionDays }: ApiDeps,
): Promise<{ execId: string; known: boolean }> {
  const nowMs = clock.nowMs();
  const execId = execIdOfManualRun(nowMs, random.id());
  if (!mark) return { execId, known: false };
  const expiresAtSec = expiresAtSecAfter(nowMs, retentionDays);
  const standing = await requestKeys.putUnlessKnown({
    userId: job.userId,
    ...mark,
    resultId: execId,
    expiresAtSec,
  });
  if (standing.bodyHash !== mark.bodyHash) throw keyReused();
  return { execId: standing.resultId, known: standing.resultId !== execId };
}

async function startRun(
  job: Job,
  execId: string,
  { payload, deliveryDepth }: { payload?: unknown; deliveryDepth?: number },
  deps: ApiDeps,
): Promise<Execution> {
  const jobKey = jobKeyOf(job);
  const stamp = startDeadline(deps.clock);
  const dueAtMs = parseCompactInstant(execId);
  const startAtMs = notBefore(dueAtMs, stamp.nowMs);
  const run: Execution = {
    jobKey,
    execId,
    trigger: 'manual',
    dueAtMs,
    status: 'queued',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    fence: 0,
    startAtMs,
    attempts: [],
    ...(deliveryDepth === undefined ? {} : { deliveryDepth }),
    orderingKey: job.orderingKey ?? undefined,
    ...(payload === undefined ? {} : { payload: { value: payload } }),
  };
  const wait = { jobKey, execId, attempt: 1, startAtMs };
  await deps.schedule.putEntries([await attemptEntry(wait, deps)], stamp.leftMs());
  const outcome = await withinDeadline(stamp, () => deps.executions.putQueued(run), deps);
  if (outcome === 'exists') return (await deps.executions.get(run)) ?? run;
  await sendNow(run, startAtMs, job, deps);
  return run;
}

/**
 * The first request may have given up before its row was written, and the row came later than its entry's look: then
 * nobody else would look at it again. Repeating entry and message is free of harm.
 */
async function makeSureItRuns(run: Execution, job: Job, deps: ApiDeps): Promise<void> {
  const startAtMs = notBefore(run.dueAtMs, deps.clock.nowMs());
  await deps.schedule.putEntries([await attemptEntry({ ...run, startAtMs }, deps)]);
  await sendNow(run, startAtMs, job, deps);
}

/** The due time was read first, maybe off another machine's clock, and a clock may be set back in between. */
const notBefore = (dueAtMs: number, nowMs: number): number => Math.max(dueAtMs, nowMs);

/** The entry is there: what is not sent now is sent by the second look. */
async function sendNow(run: Execution, startAtMs: number, job: Job, deps: ApiDeps): Promise<void> {
  try {
    await sendIfDirect(attemptMessage(run, { attempt: 1, startAtMs }, job), deps);
  } catch (error) {
    deps.log.error('a manual run is left to the second look', error, { job: run.jobKey, execId: run.execId });
  }
}
