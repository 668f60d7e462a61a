import { JobBody } from '../../core/contracts/http/job';
import { Metric } from '../../core/contracts/metrics';
import type { IdempotencyMark, Job } from '../../core/domain/job';
import { checkDefinition, definitionOf } from '../definition';
import { derivedId, markOf, REPLAYED } from '../idempotency';
import { newJob } from '../job-changes';
import { jobResponse } from '../job-view';
import { conflict, keyReused } from '../problem';
import { readBody } from '../read';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { saveJob } from '../save-job';

/**
 * 201 with the new job. With an `Idempotency-Key`, a job that the same request made before is the answer
 * again, and it is looked for first: its schedule may have no future by now.
 */
export async function createJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readBody(request, JobBody);
  const mark = markOf(request, body);
  const ref = {
    userId: request.userId,
    jobId: body.jobId ?? (mark ? derivedId(mark) : deps.chance.id()),
  };
  const definition = definitionOf(body);
  const seen = mark && (await deps.jobs.get(ref));
  if (!seen) checkDefinition(definition, request, deps);

  const { job, outcome } = await saveJob(
    ref,
    { seen },
    (current, at) => (current ? replayOf(current, mark) : newJob(ref, definition, at, mark)),
    deps,
  );
  const response = await jobResponse(201, job, deps);
  if (outcome === 'unchanged') return { ...response, headers: { ...response.headers, ...REPLAYED } };
  deps.meter.count(Metric.registered);
  return response;
}

/** The job that has the id already, where this very request made it. Throws `Problem` 409 or 422. */
function replayOf(current: Job, mark: IdempotencyMark | undefined): Job {
  const made = current.idempotency;
  if (!mark || made?.keyHash !== mark.keyHash)
    throw conflict(`the jobId ${JSON.stringify(current.jobId)} is taken`);
  if (made.bodyHash !== mark.bodyHash) throw keyReused();
  return current;
}
