import { RunBody } from '../../core/http/job';
import { execIdOfManualRun, jobKeyOf, parseCompactInstant } from '../../core/contracts/tables';
import { attemptEntry, attemptMessage, sendOrLeave } from '../../core/queue/attempt-entries';
import { entryOfRepeat } from '../../core/queue/repeated-start';
import { type Execution, NEVER_CLAIMED } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import { waitingDetailOf } from '../../core/domain/work';
import { withinDeadline, startDeadline } from '../../core/store/write-deadline';
import type { Params } from '../../core/domain/workflow/params';
import { checkPayload } from '../jobs/definition';
import { checkEntering } from '../jobs/payload-schema';
import { checkLiveRuns, checkParams, putParams, keyedExecId } from './new-run';
import { executionView } from './execution-view';
import { authorOf } from '../http/author';
import { checkNotOwn, deliveryDepthOf } from '../http/loop-guard';
import { stampOf, REPLAYED } from '../http/idempotency-key';
import { invalidField, notFound } from '../http/problem';
import { requestedJob, readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 202 with a manual run. It does not affect the schedule; a paused job can be run too. Order of writes: its
 * parameters, if there are any → the entry of its first attempt → its row, which waits for that attempt → the
 * message.
 */
export async function runJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const body = readOptionalBody(request, RunBody);
  checkPayload(body.payload);
  const deliveryDepth = deliveryDepthOf(request);
  const stamp = stampOf(request, body);
  const job = await deps.jobs.get(ref);
  if (!job) throw notFound('job');
  if (job.workflow && body.payload !== undefined)
    throw invalidField(
      'payload',
      'is not allowed: the job has a workflow, whose tasks have inputs of their own',
    );

  const params = body.params as Params | undefined;
  await checkParams(job, params, deps);
  if (!job.workflow)
    await checkEntering(job, body.payload === undefined ? undefined : { value: body.payload });
  const { execId, known } = await keyedExecId(job.userId, stamp, execIdOfManualRun, deps);
  const jobKey = jobKeyOf(ref);
  const before = known ? await deps.executions.get({ jobKey, execId }) : undefined;
  if (before) {
    if (before.status === 'queued' && before.fence === 0) await ensureStarted(before, job, deps);
    return accepted(before, REPLAYED);
  }
  checkNotOwn(job, request);
  await checkLiveRuns(request.project, [job], deps);
  await deps.quotas.chargeRate(request.project, 'runs');
  const origin = { ...body, params, deliveryDepth, userRequest: authorOf(request) };
  const run = await startRun(job, execId, origin, deps);
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

interface RunOrigin extends Pick<Execution, 'deliveryDepth' | 'userRequest'> {
  payload?: unknown;
  params: Params | undefined;
}

async function startRun(
  job: Job,
  execId: string,
  { payload, params, deliveryDepth, userRequest }: RunOrigin,
  deps: ApiDeps,
): Promise<Execution> {
  const jobKey = jobKeyOf(job);
  const deadline = startDeadline(deps.clock);
  const dueAtMs = parseCompactInstant(execId);
  const startAtMs = notBefore(dueAtMs, deadline.nowMs);
  const run: Execution = {
    jobKey,
    execId,
    trigger: 'manual',
    dueAtMs,
    status: 'queued',
    ...NEVER_CLAIMED,
    startAtMs,
    userRequest,
    ...(deliveryDepth === undefined ? {} : { deliveryDepth }),
    orderingKey: job.orderingKey ?? undefined,
    ...(payload === undefined ? {} : { payload: { value: payload } }),
    ...(params && { hasParams: true }),
    ...waitingDetailOf(job),
  };
  if (params) await putParams(run, params, deadline, deps);
  const wait = { jobKey, execId, attempt: 1, startAtMs };
  await deps.schedule.putEntries([await attemptEntry(wait, deps)], deadline.leftMs());
  const outcome = await withinDeadline(deadline, (options) => deps.executions.putQueued(run, options), deps);
  if (outcome === 'exists') return (await deps.executions.get(run)) ?? run;
  await sendOrLeave(attemptMessage(run, { attempt: 1, startAtMs }, job), deps);
  return run;
}

/**
 * Starts a run whose first request may have been given up before its row was written. If the row came later
 * than the recheck of its entry, nothing else would start it. Throws `ProblemError` 429 if an entry is to be
 * filed, and the minute has no room for it.
 */
async function ensureStarted(run: Execution, job: Job, deps: ApiDeps): Promise<void> {
  const entry = await entryOfRepeat(run, deps);
  if (!entry) return;
  await deps.quotas.chargeRate(job.userId, 'changes');
  await deps.schedule.putEntries([entry]);
  const startAtMs = notBefore(run.dueAtMs, deps.clock.nowMs());
  await sendOrLeave(attemptMessage(run, { attempt: 1, startAtMs }, job), deps);
}

/**
 * The due time is an earlier clock reading, perhaps of another machine. A clock may have been set back since.
 */
const notBefore = (dueAtMs: number, nowMs: number): number => Math.max(dueAtMs, nowMs);
