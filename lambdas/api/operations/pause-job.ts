import { EmptyBody } from '../../core/contracts/http/job';
import { paused } from '../job-changes';
import { jobResponse } from '../job-view';
import { notFound } from '../problem';
import { jobRefOf, readOptionalBody } from '../read';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { saveJob } from '../save-job';

/** 200 with the job; one that is paused already stays as it is. */
export async function pauseJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = jobRefOf(request);
  readOptionalBody(request, EmptyBody);
  const seen = await deps.jobs.get(ref);
  if (!seen) throw notFound('job');
  const { job } = await saveJob(
    ref,
    { seen },
    (current, at) => {
      if (!current) throw notFound('job');
      return paused(current, at);
    },
    deps,
  );
  return jobResponse(200, job, deps);
}
