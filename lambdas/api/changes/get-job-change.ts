import { jobKeyOf } from '../../core/contracts/tables';
import { withWorkflows } from './with-workflows';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { changeView } from './change-view';
import { findChange } from './find-change';

/** 200 with one change. */
export async function getJobChange(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { ref, change } = await findChange(request, deps);
  const [shown] = await withWorkflows(jobKeyOf(ref), [change], deps);
  return { status: 200, body: changeView(request)(shown!) };
}
