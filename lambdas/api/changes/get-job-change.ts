import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { changeView } from './change-view';
import { findChange } from './find-change';

/** 200 with one change. */
export async function getJobChange(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { change } = await findChange(request, deps);
  return { status: 200, body: changeView(request)(change) };
}
