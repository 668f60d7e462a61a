import { keptText } from '../../core/domain/target-result';
import { FailBody } from '../../core/http/report';
import { attemptTokenOf, takeReport } from './attempt-report';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** The target has given up. */
export async function failAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const claim = await attemptTokenOf(request, deps);
  const { error, retriable } = readOptionalBody(request, FailBody);
  const outcome = retriable ? 'retriable' : 'fatal';
  return takeReport(claim, { outcome, error: keptText(error, 'ofFailure') }, deps);
}
