import { asListed } from './as-listed';
import { executionView } from './execution-view';
import { findExecution } from './find-execution';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** One execution with its attempts; one that is planned and has no row yet, too. */
export async function getExecution(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const found = await findExecution(request, deps);
  const execution = found.stored ? await asListed(found.execution, request, deps) : found.execution;
  return { status: 200, body: executionView(execution) };
}
