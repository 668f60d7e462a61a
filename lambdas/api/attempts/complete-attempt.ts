import { CompleteBody } from '../../core/http/report';
import { attemptTokenOf, firstBytes, takeReport } from './attempt-report';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const KEPT_BYTES = 256;

/** 200: the target has succeeded. Keeps the first `KEPT_BYTES` of its result. */
export async function completeAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const attempt = await attemptTokenOf(request, deps);
  const { result } = readOptionalBody(request, CompleteBody);
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const body = text === undefined ? undefined : firstBytes(text, KEPT_BYTES);
  return takeReport(attempt, { outcome: 'succeeded', body }, deps);
}
