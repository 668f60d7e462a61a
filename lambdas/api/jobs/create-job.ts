import { JobBody } from '../../core/http/job';
import { createOneJob } from './create-one-job';
import { markOf } from '../http/idempotency-key';
import { readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** 201 with the new job. */
export async function createJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readBody(request, JobBody);
  return createOneJob(body, markOf(request, body), request, deps);
}
