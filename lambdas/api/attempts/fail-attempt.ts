import { FailBody } from '../../core/http/report';
import { attemptTokenOf, firstBytes, takeReport } from './attempt-report';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const KEPT_BYTES = 2_048;

/** 200: the target has failed. Keeps the first `KEPT_BYTES` of its error. */
export async function failAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const attempt = await attemptTokenOf(request, deps);
  const { error, retriable } = readOptionalBody(request, FailBody);
  const outcome = retriable ? 'retriable' : 'fatal';
  return takeReport(attempt, { outcome, error: firstBytes(error, KEPT_BYTES) }, deps);
}
