import { withSchedule } from './job-changes';
import { jobResponse } from './job-view';
import { notFound } from '../http/problem';
import { requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

export async function getJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const job = await deps.jobs.get(requestedJob(request));
  if (!job) throw notFound('job');
  return jobResponse(200, withSchedule(job), deps);
}
