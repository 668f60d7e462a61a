import { CompleteBody } from '../../core/http/report';
import { isTaskExecution } from '../../core/domain/workflow/task-id';
import { keptReport, outputOfReport } from './kept-report';
import { reportingAttemptOf, takeReport } from './attempt-report';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** 200: the target has succeeded. Keeps the beginning of its result; all of it, for other tasks. */
export async function completeAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const attempt = await reportingAttemptOf(request, deps);
  const { result } = readOptionalBody(request, CompleteBody);
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const body = text === undefined ? undefined : await keptReport(text, 'ofSuccess', attempt, deps);
  const output = isTaskExecution(attempt.lease.execId) && (await outputOfReport(result, attempt, deps));
  return takeReport(attempt, { outcome: 'succeeded', body, ...(output && { output }) }, deps);
}
