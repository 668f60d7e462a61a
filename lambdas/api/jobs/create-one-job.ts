import type { JobBody } from '../../core/http/job';
import { Metric } from '../../core/contracts/metrics';
import type { JobRef } from '../../core/contracts/tables';
import type { IdempotencyStamp, Job, JobDefinition } from '../../core/domain/job';
import { checkDefinition, definitionOf } from './definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { derivedId, REPLAYED } from '../http/idempotency-key';
import { newJob } from './job-changes';
import { jobResponse } from './job-view';
import { conflict, keyReused, ProblemError } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { saveJob } from './save-job';

/**
 * 201 with the new job. With a mark, a job that the same request made before is the answer again, and it is looked for
 * first: its schedule may have no future by now. Throws `ProblemError`.
 */
export async function createOneJob(
  body: JobBody,
  mark: IdempotencyStamp | undefined,
  request: ApiRequest,
  deps: ApiDeps,
): Promise<ApiResponse> {
  const { userId } = request;
  const ref = { userId, jobId: body.jobId ?? (mark ? derivedId(mark) : deps.random.id()) };
  const definition = definitionOf(body);
  const seen = mark && (await madeBefore(ref, body.jobId !== undefined, mark, deps));
  if (!seen) await checkDefinition(definition, request, deps);

  const origin = { idempotency: mark, deliveryDepth: deliveryDepthOf(request) };
  const make = () => makeJob(ref, definition, { seen, origin }, deps);
  const bears = mark && body.jobId !== undefined && !seen;
  const { job, outcome } = bears ? await withReservedKey(ref, definition, mark, make, deps) : await make();
  const response = await jobResponse(201, job, deps, { isNew: outcome === 'created' });
  if (outcome === 'unchanged') return { ...response, headers: { ...response.headers, ...REPLAYED } };
  deps.meter.count(Metric.registered);
  return response;
}

const makeJob = (
  ref: JobRef,
  definition: JobDefinition,
  {
    seen,
    origin,
  }: { seen: Job | undefined; origin: { idempotency?: IdempotencyStamp; deliveryDepth?: number } },
  deps: ApiDeps,
) =>
  saveJob(
    ref,
    { seen },
    (current) => (at) =>
      current ? replayOf(current, origin.idempotency) : newJob(ref, definition, at, origin),
    deps,
  );

/** The job that has the id already, where this very request made it. Throws `ProblemError` 409 or 422. */
function replayOf(current: Job, mark: IdempotencyStamp | undefined): Job {
  const made = current.idempotency;
  if (!mark || made?.keyHash !== mark.keyHash)
    throw conflict(`the jobId ${JSON.stringify(current.jobId)} is taken`);
  if (made.bodyHash !== mark.bodyHash) throw keyReused();
  return current;
}

/**
 * The job that has the id by now. A key makes one job: throws `ProblemError` 422 where it has made one whose id was chosen and
 * this one's is not, or the other way round; a job of either kind is found by the key alone.
 */
async function madeBefore(
  ref: JobRef,
  isChosen: boolean,
  mark: IdempotencyStamp,
  { jobs, requestKeys }: ApiDeps,
): Promise<Job | undefined> {
  const { userId } = ref;
  const [job, isReused] = await Promise.all([
    jobs.get(ref),
    isChosen
      ? jobs
          .get({ userId, jobId: derivedId(mark) })
          .then((made) => made?.idempotency?.keyHash === mark.keyHash)
      : requestKeys.get(userId, mark.keyHash).then((key) => key !== undefined),
  ]);
  if (isReused) throw keyReused();
  return job;
}

/**
 * Makes a job whose id does not follow from its key, so that the key has to remember it: a row of its own, first. It
 * goes again where there is no job after all, and with the job. Throws `ProblemError` 422 where the key is another's.
 */
async function withReservedKey<Made>(
  ref: JobRef,
  definition: JobDefinition,
  mark: IdempotencyStamp,
  make: () => Promise<Made>,
  { requestKeys, clock, random, retentionDays }: ApiDeps,
): Promise<Made> {
  const { expiresAtSec } = newJob(ref, definition, { nowMs: clock.nowMs(), random, retentionDays });
  const { userId, jobId } = ref;
  const standing = await requestKeys.putUnlessKnown({ userId, ...mark, resultId: jobId, expiresAtSec });
  if (standing.bodyHash !== mark.bodyHash) throw keyReused();
  try {
    return await make();
  } catch (error) {
    if (error instanceof ProblemError) await requestKeys.remove(userId, mark.keyHash);
    throw error;
  }
}

/** What `withReservedKey` left for a job that is gone now. */
export async function releaseKey(
  { userId, jobId, idempotency }: Job,
  { requestKeys }: ApiDeps,
): Promise<void> {
  if (idempotency && jobId !== derivedId(idempotency)) await requestKeys.remove(userId, idempotency.keyHash);
}
