import { JobBody } from '../../core/http/job';
import { Metric } from '../../core/contracts/metrics';
import type { JobRef } from '../../core/contracts/tables';
import type { IdempotencyStamp, Job, JobDefinition } from '../../core/domain/job';
import { checkDefinition, definitionOf } from './definition';
import { changeOriginOf } from '../http/author';
import { derivedId, REPLAYED, stampOf } from '../http/idempotency-key';
import { newJob, withSchedule } from './job-changes';
import { jobResponse } from './job-view';
import { readBody } from '../http/parse-request';
import { conflict, keyReused, ProblemError } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { insertJob } from './insert-job';
import { type Save, startChange } from './save-job';

/** 201 with the new job. */
export async function createJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readBody(request, JobBody);
  return createOneJob(body.jobId, definitionOf(body), stampOf(request, body), request, deps);
}

/** 201 with the job that `createOneJob` would create without a key; writes nothing. Throws `ProblemError`. */
export async function tryOneJob(
  chosenId: string | undefined,
  definition: JobDefinition,
  save: Save,
  request: ApiRequest,
  deps: ApiDeps,
): Promise<ApiResponse> {
  const ref = { userId: request.project, jobId: chosenId ?? deps.random.id() };
  const checked = await checkDefinition(definition, request, deps);
  const moment = await startChange(undefined, deps);
  const current = chosenId === undefined ? undefined : await deps.jobs.get(ref);
  const origin = await changeOriginOf(request);
  const next = newJob(ref, checked, origin, moment.nowMs, deps);
  const { outcome } = await save(current, next, moment, deps);
  if (outcome !== 'created') throw conflict(`the jobId ${JSON.stringify(ref.jobId)} is taken`);
  return jobResponse(201, next, deps, { isNew: true });
}

/**
 * 201 with the new job. A repeat of a request with an `Idempotency-Key` gets the job that the first one
 * created. It is found before the checks, because its schedule may have no future by now. Throws
 * `ProblemError`.
 */
export async function createOneJob(
  chosenId: string | undefined,
  definition: JobDefinition,
  stamp: IdempotencyStamp | undefined,
  request: ApiRequest,
  deps: ApiDeps,
): Promise<ApiResponse> {
  const jobId = chosenId ?? (stamp ? derivedId(stamp) : deps.random.id());
  const ref = { userId: request.project, jobId };
  const origin = { ...(await changeOriginOf(request)), idempotency: stamp };
  const earlier = stamp && (await findEarlier(ref, chosenId !== undefined, stamp, deps));
  if (earlier) return replay(jobId, earlier, stamp, deps);
  const checked = await checkDefinition(definition, request, deps);

  const moment = await startChange(undefined, deps);
  const next = newJob(ref, checked, origin, moment.nowMs, deps);
  await reserveKey(next.job, deps);
  try {
    const saved = await insertJob(next, moment, deps);
    if (saved.outcome === 'lost-race') return await replay(jobId, saved.current, stamp, deps);
  } catch (error) {
    if (error instanceof ProblemError) await releaseKey(next.job, deps);
    throw error;
  }
  const response = await jobResponse(201, next, deps, { isNew: true });
  deps.meter.count(Metric.registered);
  return response;
}

/**
 * The job that has the id already. A key creates one job. Throws `ProblemError` 422 if the key has created a
 * job with a chosen id and this request chooses none, or the other way round.
 */
async function findEarlier(
  ref: JobRef,
  usesChosenId: boolean,
  stamp: IdempotencyStamp,
  { jobs, requestKeys }: ApiDeps,
): Promise<Job | undefined> {
  const { userId } = ref;
  const [job, isReused] = await Promise.all([
    jobs.get(ref),
    usesChosenId
      ? jobs
          .get({ userId, jobId: derivedId(stamp) })
          .then((other) => other?.idempotency?.keyHash === stamp.keyHash)
      : requestKeys.get(userId, stamp.keyHash).then((key) => key !== undefined),
  ]);
  if (isReused) throw keyReused();
  return job;
}

/** 201 with the job that has the id, if this very request created it. Throws `ProblemError` 409 or 422. */
async function replay(
  jobId: string,
  current: Job | undefined,
  stamp: IdempotencyStamp | undefined,
  deps: ApiDeps,
): Promise<ApiResponse> {
  if (!stamp || current?.idempotency?.keyHash !== stamp.keyHash)
    throw conflict(`the jobId ${JSON.stringify(jobId)} is taken`);
  if (current.idempotency.bodyHash !== stamp.bodyHash) throw keyReused();
  const response = await jobResponse(201, withSchedule(current), deps);
  return { ...response, headers: { ...response.headers, ...REPLAYED } };
}

/**
 * Stores the `Idempotency-Key` of a new job in a row of its own, if the job's chosen id cannot be derived
 * from the key. Throws `ProblemError` 422 if the key belongs to another request.
 */
async function reserveKey(job: Job, { requestKeys }: ApiDeps): Promise<void> {
  const { userId, jobId, idempotency: stamp, expiresAtSec } = job;
  if (!stamp || !needsKeyRow(job)) return;
  const known = await requestKeys.putUnlessKnown({ userId, ...stamp, resultId: jobId, expiresAtSec });
  if (known.bodyHash !== stamp.bodyHash) throw keyReused();
}

/** Deletes the row that `reserveKey` stored for a job that is rejected or deleted. */
export async function releaseKey(job: Job, { requestKeys }: ApiDeps): Promise<void> {
  if (job.idempotency && needsKeyRow(job)) await requestKeys.remove(job.userId, job.idempotency.keyHash);
}

const needsKeyRow = ({ jobId, idempotency }: Job): boolean =>
  idempotency !== undefined && jobId !== derivedId(idempotency);
