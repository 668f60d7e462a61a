import { jobKeyOf } from '../../core/contracts/tables';
import { isRetained } from '../executions/execution-view';
import { EXEC_ID } from '../executions/find-execution';
import { requestedJob } from '../http/parse-request';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { backfillView } from './backfill-view';

/** 200 with a backfill and how far it is; also of a deleted job. */
export async function getBackfill(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { execId } = request.params;
  if (execId === undefined || !EXEC_ID.test(execId)) throw notFound('backfill');
  const ref = { jobKey: jobKeyOf(requestedJob(request)), execId };
  const [run, planned] = await Promise.all([deps.executions.get(ref), deps.backfills.get(ref)]);
  if (!run?.backfill || !planned || !isRetained(run, deps.clock.nowMs())) throw notFound('backfill');
  return { status: 200, body: await backfillView(run, planned, deps) };
}
