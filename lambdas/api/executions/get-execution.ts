import { withMergedSkips } from './merge-skipped-ranges';
import { executionView } from './execution-view';
import { findReadable } from './find-execution';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** 200 with one execution and its attempts. A planned execution that has no row yet is found too. */
export async function getExecution(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const found = await findReadable(request, deps);
  const execution = found.stored ? await withMergedSkips(found.execution, deps) : found.execution;
  return { status: 200, body: executionView(execution) };
}
