import { JobBody } from '../../core/contracts/http/job';
import { createOneJob } from '../create-one-job';
import { markOf } from '../idempotency';
import { readBody } from '../read';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** 201 with the new job. */
export async function createJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readBody(request, JobBody);
  return createOneJob(body, markOf(request, body), request, deps);
}
