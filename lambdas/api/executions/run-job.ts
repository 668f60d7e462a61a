import { MAX_DELAY, RunBody } from '../../core/http/run';
import { execIdOfManualRun, jobKeyOf } from '../../core/contracts/tables';
import { DAY_MS, instantText } from '../../core/clock/clock';
import { monitorTargetOf } from '../../core/domain/entry-planning';
import type { Execution } from '../../core/domain/execution';
import type { IdempotencyStamp, Job } from '../../core/domain/job';
import { labelsIn } from '../../core/domain/run-labels';
import type { Params } from '../../core/domain/workflow/params';
import { lastDueMsOf } from '../../core/job-writes/expiry';
import { parseDuration } from '../../core/schedule/duration';
import { checkPayload } from '../jobs/definition';
import { checkEntering } from '../jobs/payload-schema';
import { checkLiveRuns, checkParams, keyedExecId } from './new-run';
import { ensureStarted, newRun, type RunOrigin, startRun } from './start-run';
import { startKeyedRun } from './keyed-run';
import { executionView } from './execution-view';
import { authorOf } from '../http/author';
import { checkNotOwn, deliveryDepthOf } from '../http/loop-guard';
import { stampOf, REPLAYED } from '../http/idempotency-key';
import { invalidField, notFound, notRunHere } from '../http/problem';
import { requestedJob, readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 202 with a manual run, now or at a later time; 200 with the run that has its key already. It does not
 * affect the schedule. A paused job can be run now too, and holds what is due later. A later run counts as a
 * change, because the minute of the request says nothing of when it runs.
 */
export async function runJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readOptionalBody(request, RunBody);
  const fit = checkRun(body, deps);
  const stamp = stampOf(request, body);
  deliveryDepthOf(request);
  return runOnce(fit, stamp, await jobToRun(request, deps), request, deps);
}

/** The job that a request names. Throws `ProblemError` 404. */
export async function jobToRun(request: ApiRequest, deps: ApiDeps): Promise<Job> {
  const job = await deps.jobs.get(requestedJob(request));
  if (!job) throw notFound('job');
  return job;
}

/** Throws `ProblemError` 400 for what no job takes. */
export function checkRun(body: RunBody, deps: ApiDeps): RunBody {
  checkPayload(body.payload);
  checkTimes(body, deps.clock.nowMs(), deps);
  return body;
}

/** Does what one request for a run asks for. Throws `ProblemError`. */
export async function runOnce(
  body: RunBody,
  stamp: IdempotencyStamp | undefined,
  job: Job,
  request: ApiRequest,
  deps: ApiDeps,
): Promise<ApiResponse> {
  if (monitorTargetOf(job)) throw notRunHere();
  if (job.workflow && body.payload !== undefined)
    throw invalidField(
      'payload',
      'is not allowed: the job has a workflow, whose tasks have inputs of their own',
    );

  const params = body.params as Params | undefined;
  await checkParams(job, params, deps);
  if (!job.workflow)
    await checkEntering(job, body.payload === undefined ? undefined : { value: body.payload });
  const newId = (atMs: number, id: string) => execIdOfManualRun(dueAtMsOf(body, atMs), id);
  const { execId, known } = await keyedExecId(job.userId, stamp, newId, deps);
  const before = known ? await deps.executions.get({ jobKey: jobKeyOf(job), execId }) : undefined;
  if (before) {
    await ensureStarted(before, job, deps);
    return answer(before, 202, deps, REPLAYED, before.key === undefined ? {} : { created: true });
  }
  checkNotOwn(job, request);
  const isDelayed = body.at !== undefined || body.delay !== undefined;
  const asked: RunOrigin = {
    ...askedIn(body, job, isDelayed),
    params,
    deliveryDepth: deliveryDepthOf(request),
    trace: await request.trace?.(),
    userRequest: authorOf(request),
  };
  const run = newRun(job, execId, asked, deps.clock.nowMs());
  const charge = async () => {
    if (isDelayed) {
      checkJobIsKept(body, job, run.dueAtMs);
      return deps.quotas.chargeRate(request.project, 'changes');
    }
    await checkLiveRuns(request.project, [job], deps);
    await deps.quotas.chargeRate(request.project, 'runs');
  };
  const headers = known ? REPLAYED : {};
  if (run.key !== undefined) {
    const how = { onExisting: body.onExisting ?? 'keep', params, charge };
    const { run: keyed, created } = await startKeyedRun({ ...run, key: run.key }, how, job, deps);
    return answer(keyed, created ? 202 : 200, deps, headers, { created });
  }
  await charge();
  return answer((await startRun(run, params, job, deps)).run, 202, deps, headers);
}

async function answer(
  run: Execution,
  status: 200 | 202,
  deps: ApiDeps,
  headers: Record<string, string>,
  more: { created?: boolean } = {},
): Promise<ApiResponse> {
  const body = { ...(await executionView(run, deps)), ...more };
  return {
    status,
    headers: { location: `/v1/jobs/${body.jobId}/executions/${body.execId}`, ...headers },
    body,
  };
}

/** Throws `ProblemError` 400 if the run is due too late, or its key would outlive its record. */
function checkTimes({ at, keyTtl }: RunBody, nowMs: number, { retentionDays }: ApiDeps): void {
  if (at !== undefined && at - nowMs > parseDuration(MAX_DELAY))
    throw invalidField('at', `${instantText(at)} is too far ahead: must be within the next ${MAX_DELAY}`);
  if (keyTtl !== undefined && parseDuration(keyTtl) > retentionDays * DAY_MS)
    throw invalidField(
      'keyTtl',
      `${JSON.stringify(keyTtl)} is out of range: must be from 1s to ${retentionDays}d, as long as executions are kept`,
    );
}

/** Throws `ProblemError` 400 if the row of the job may have expired by then: the run would find no job. */
function checkJobIsKept({ at }: RunBody, job: Job, dueAtMs: number): void {
  const lastMs = lastDueMsOf(job);
  if (lastMs === undefined || dueAtMs <= lastMs) return;
  throw invalidField(
    at === undefined ? 'delay' : 'at',
    `${instantText(dueAtMs)} is too late: must be through ${instantText(lastMs)}, because the schedule of the job ends, and the job expires after that`,
  );
}

/** A time that is past is now. */
const dueAtMsOf = ({ at, delay }: RunBody, nowMs: number): number =>
  Math.max(nowMs, at ?? nowMs + parseDuration(delay ?? '0s'));

const askedIn = (
  { payload, key, keyTtl, priority, tags, runTags, externalId }: RunBody,
  job: Job,
  isDelayed: boolean,
): Omit<RunOrigin, 'params'> => ({
  ...(payload !== undefined && { payload: { value: payload } }),
  ...(isDelayed && { delayedOf: job.createdAtMs }),
  ...(key !== undefined && { key }),
  ...(keyTtl !== undefined && { keyTtlMs: parseDuration(keyTtl) }),
  ...(priority && { priority }),
  ...(tags && Object.keys(tags).length > 0 && { tags: tags as Record<string, string> }),
  ...labelsIn({ runTags, externalId }),
});
