import { JOB_ID } from '../../core/http/fields';
import { JobBody } from '../../core/http/job';
import { Metric } from '../../core/contracts/metrics';
import { checkDefinition, definitionOf } from './definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { checkPreconditions, preconditionsOf } from '../http/etag';
import { newJob, withDefinition } from './job-changes';
import { jobResponse } from './job-view';
import { invalidField } from '../http/problem';
import { readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { repeatOnLostRace, saveJob, startChange } from './save-job';

/** Creates (201) or replaces (200) a job. An equal definition changes nothing; a paused job stays paused. */
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
    throw invalidField('jobId', `must be the jobId of the path, ${JSON.stringify(jobId)}, or be left out`);
  }
  const definition = definitionOf(body);
  await checkDefinition(definition, request, deps);

  const deliveryDepth = deliveryDepthOf(request);
  const preconditions = preconditionsOf(request);
  const ref = { userId: request.project, jobId };
  const seen = await deps.jobs.get(ref);
  const saved = await repeatOnLostRace(seen, async (current) => {
    checkPreconditions(preconditions, current);
    const moment = await startChange(deps);
    const next = current
      ? withDefinition(current, definition, deliveryDepth, moment.nowMs, deps)
      : newJob(ref, definition, { deliveryDepth }, moment.nowMs, deps);
    return saveJob(current, next, moment, deps);
  });
  const isNew = saved.outcome === 'created';
  if (isNew) deps.meter.count(Metric.registered);
  return jobResponse(isNew ? 201 : 200, saved, deps);
}
