import { JOB_ID } from '../../core/http/fields';
import { JobBody } from '../../core/http/job';
import { PutJobQuery } from '../../core/http/queries';
import { Metric } from '../../core/contracts/metrics';
import type { JobDefinition } from '../../core/domain/job';
import { dryRun } from './dry-run';
import { checkDefinition, definitionOf } from './definition';
import { changeOriginOf } from '../http/author';
import { checkPreconditions, preconditionsOf } from '../http/etag';
import { newJob, withDefinition } from './job-changes';
import { jobResponse } from './job-view';
import { invalidField } from '../http/problem';
import { readBody, readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { changeJob } from './change-job';
import { insertJob } from './insert-job';
import { repeatOnLostRace, type Save, type SavedJob, startChange } from './save-job';

/**
 * Creates (201) or replaces (200) a job. An equal definition changes nothing; a paused job stays paused. A
 * dry run (200) writes nothing.
 */
export async function putJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { jobId = '' } = request.params;
  if (!JOB_ID.test(jobId)) {
    throw invalidField(
      'jobId',
      'must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit',
    );
  }
  const query = readQuery(request, PutJobQuery);
  const body = readBody(request, JobBody);
  if (body.jobId !== undefined && body.jobId !== jobId) {
    throw invalidField('jobId', `must be the jobId of the path, ${JSON.stringify(jobId)}, or be left out`);
  }
  if (query.dryRun) {
    const saved = await putOneJob(jobId, definitionOf(body), request, { ...deps, save: dryRun().save });
    const response = await jobResponse(200, saved, deps, { isNew: saved.outcome === 'created' });
    return { ...response, headers: { ...response.headers, 'quarterjack-dry-run': saved.outcome } };
  }
  const saved = await putOneJob(jobId, definitionOf(body), request, deps);
  const isNew = saved.outcome === 'created';
  return jobResponse(isNew ? 201 : 200, saved, deps);
}

/** Inserts the job if there is none, else changes it. */
export const insertOrChange: Save = (current, next, moment, deps) =>
  current ? changeJob(current, next, moment, deps) : insertJob(next, moment, deps);

/** Creates or replaces a job; `save` makes the change, or checks it. Throws `ProblemError`. */
export async function putOneJob(
  jobId: string,
  definition: JobDefinition,
  request: ApiRequest,
  { save = insertOrChange, ...deps }: ApiDeps & { save?: Save },
): Promise<SavedJob> {
  const checked = await checkDefinition(definition, request, deps);

  const origin = await changeOriginOf(request);
  const preconditions = preconditionsOf(request);
  const ref = { userId: request.project, jobId };
  const seen = await deps.jobs.get(ref);
  const saved = await repeatOnLostRace(seen, async (current) => {
    checkPreconditions(preconditions, current);
    const moment = await startChange(current, deps);
    const next = current
      ? withDefinition(current, checked, origin, moment.nowMs, deps)
      : newJob(ref, checked, origin, moment.nowMs, deps);
    return save(current, next, moment, deps);
  });
  if (saved.outcome === 'created' && save === insertOrChange) deps.meter.count(Metric.registered);
  return saved;
}
