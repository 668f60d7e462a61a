import { EmptyBody } from '../../core/contracts/http/job';
import { resumed } from '../job-changes';
import { jobResponse } from '../job-view';
import { notFound } from '../problem';
import { jobRefOf, readOptionalBody } from '../read';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { saveJob } from '../save-job';

/**
 * 200 with the job; the first occurrence after now is the next to fire, and what was due meanwhile never
 * does.
 */
export async function resumeJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = jobRefOf(request);
  readOptionalBody(request, EmptyBody);
  const seen = await deps.jobs.get(ref);
  if (!seen) throw notFound('job');
  const { job } = await saveJob(
    ref,
    { seen },
    (current, at) => {
      if (!current) throw notFound('job');
      return resumed(current, at);
    },
    deps,
  );
  return jobResponse(200, job, deps);
}
