import { JobBody } from '../../core/http/job';
import { Metric } from '../../core/contracts/metrics';
import type { JobRef } from '../../core/contracts/tables';
import type { IdempotencyStamp, Job, JobDefinition } from '../../core/domain/job';
import { checkDefinition, definitionOf } from './definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { derivedId, REPLAYED, stampOf } from '../http/idempotency-key';
import { newJob, type JobWithSchedule, withSchedule } from './job-changes';
import { jobResponse } from './job-view';
import { readBody } from '../http/parse-request';
import { conflict, keyReused, ProblemError } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { repeatOnLostRace, saveJob, startChange } from './save-job';

/** 201 with the new job. */
export async function createJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readBody(request, JobBody);
  return createOneJob(body.jobId, definitionOf(body), stampOf(request, body), request, deps);
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
  const ref = {
    userId: request.userId,
    jobId: chosenId ?? (stamp ? derivedId(stamp) : deps.random.id()),
  };
  const usesChosenId = chosenId !== undefined;
  const earlier = stamp && (await findEarlier(ref, usesChosenId, stamp, deps));
  if (!earlier) await checkDefinition(definition, request, deps);

  const origin = { idempotency: stamp, deliveryDepth: deliveryDepthOf(request) };
  const create = () =>
    repeatOnLostRace(earlier, async (current) => {
      const moment = await startChange(deps);
      const next = current ? replayOf(current, stamp) : newJob(ref, definition, origin, moment.nowMs, deps);
      return saveJob(current, next, moment, deps);
    });
  const saved =
    stamp && usesChosenId && !earlier
      ? await withReservedKey(ref, definition, stamp, create, deps)
      : await create();
  const isReplay = saved.outcome === 'unchanged';
  const response = await jobResponse(201, saved, deps, { isNew: !isReplay });
  if (isReplay) return { ...response, headers: { ...response.headers, ...REPLAYED } };
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

/** The job that has the id already, if this very request created it. Throws `ProblemError` 409 or 422. */
function replayOf(current: Job, stamp: IdempotencyStamp | undefined): JobWithSchedule {
  const created = current.idempotency;
  if (!stamp || created?.keyHash !== stamp.keyHash)
    throw conflict(`the jobId ${JSON.stringify(current.jobId)} is taken`);
  if (created.bodyHash !== stamp.bodyHash) throw keyReused();
  return withSchedule(current);
}

/**
 * Creates a job whose chosen id cannot be derived from its `Idempotency-Key`. Stores the key first, in a row
 * of its own. Deletes the row if the create is rejected; `releaseKey` deletes it with the job. Throws
 * `ProblemError` 422 if the key belongs to another request.
 */
async function withReservedKey<Created>(
  ref: JobRef,
  definition: JobDefinition,
  stamp: IdempotencyStamp,
  create: () => Promise<Created>,
  deps: ApiDeps,
): Promise<Created> {
  const { requestKeys, clock } = deps;
  const { expiresAtSec } = newJob(ref, definition, {}, clock.nowMs(), deps).job;
  const { userId, jobId } = ref;
  const known = await requestKeys.putUnlessKnown({ userId, ...stamp, resultId: jobId, expiresAtSec });
  if (known.bodyHash !== stamp.bodyHash) throw keyReused();
  try {
    return await create();
  } catch (error) {
    if (error instanceof ProblemError) await requestKeys.remove(userId, stamp.keyHash);
    throw error;
  }
}

/** Deletes the row that `withReservedKey` stored for a job, now that the job is deleted. */
export async function releaseKey(
  { userId, jobId, idempotency }: Job,
  { requestKeys }: ApiDeps,
): Promise<void> {
  if (idempotency && jobId !== derivedId(idempotency)) await requestKeys.remove(userId, idempotency.keyHash);
}
