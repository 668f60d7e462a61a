import { JOB_ID } from '../../core/http/fields';
import { JobBody } from '../../core/http/job';
import { Metric } from '../../core/contracts/metrics';
import { checkDefinition, definitionOf } from './definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { ifMatchOf, ifNoneMatchOf } from '../http/etag';
import { newJob, withDefinition } from './job-changes';
import { jobResponse } from './job-view';
import { invalidField } from '../http/problem';
import { readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { saveJob } from './save-job';

/** Creates (201) or replaces (200). What is equal already stays as it is; a paused job stays paused. */
export async function putJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { jobId = '' } = request.params;
  if (!JOB_ID.test(jobId)) {
    throw invalidField(
      'jobId',
      'must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit',
    );
  }
  const body = readBody(request, JobBody);
  if (body.jobId !== undefined && body.jobId !== jobId) {
    throw invalidField('jobId', `must be that of the path, ${JSON.stringify(jobId)}, or be left out`);
  }
  const definition = definitionOf(body);
  await checkDefinition(definition, request, deps);

  const deliveryDepth = deliveryDepthOf(request);
  const ref = { userId: request.userId, jobId };
  const { job, outcome } = await saveJob(
    ref,
    { seen: await deps.jobs.get(ref), ifMatch: ifMatchOf(request), ifNoneMatch: ifNoneMatchOf(request) },
    (current) => (at) =>
      current
        ? withDefinition(current, definition, at, { deliveryDepth })
        : newJob(ref, definition, at, { deliveryDepth }),
    deps,
  );
  if (outcome === 'created') deps.meter.count(Metric.registered);
  return jobResponse(outcome === 'created' ? 201 : 200, job, deps);
}
