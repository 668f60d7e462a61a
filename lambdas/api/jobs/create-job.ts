import { JobBody } from '../../core/http/job';
import { createOneJob } from './create-one-job';
import { stampOf } from '../http/idempotency-key';
import { readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** 201 with the new job. */
export async function createJob(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readBody(request, JobBody);
  return createOneJob(body, stampOf(request, body), request, deps);
}
