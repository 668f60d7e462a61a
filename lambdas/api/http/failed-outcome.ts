import type { BatchOutcome } from '../../core/http/openapi/answers';
import type { ApiDeps, ApiRequest } from '../request';
import { problemOf, problemResponse } from './problem';

interface FailedOutcome {
  index: number;
  status: number;
  problem: NonNullable<BatchOutcome['problem']>;
}

/** The outcome of an item of a batch that has failed. */
export function failedOutcome(
  index: number,
  error: unknown,
  request: ApiRequest,
  { log }: Pick<ApiDeps, 'log'>,
): FailedOutcome {
  const problem = problemOf(error, request, log);
  const view = problemResponse(problem, request).body as FailedOutcome['problem'];
  return { index, status: problem.status, problem: view };
}
