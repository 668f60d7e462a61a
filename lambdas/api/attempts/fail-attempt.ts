import { FailBody } from '../../core/http/report';
import { keptReport } from './kept-report';
import { reportingAttemptOf, takeReport } from './attempt-report';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** 200: the target has failed. Keeps the beginning of its error. */
export async function failAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const attempt = await reportingAttemptOf(request, deps);
  const { error, retriable } = readOptionalBody(request, FailBody);
  const outcome = retriable ? 'retriable' : 'fatal';
  const kept = await keptReport(error, 'ofFailure', attempt, deps);
  return takeReport(attempt, { outcome, error: kept }, deps);
}
