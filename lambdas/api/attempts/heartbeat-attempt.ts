import type { ReportView } from '../../core/http/answers';
import { EmptyBody } from '../../core/http/job';
import { reportingAttemptOf, stale } from './attempt-report';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200: the target is still at work, and its lease lasts for another `heartbeatTimeout`. After a request to
 * cancel, the lease is left to expire, and the response says so.
 */
export async function heartbeatAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { lease } = await reportingAttemptOf(request, deps);
  readOptionalBody(request, EmptyBody);
  const outcome = await deps.executions.heartbeat(lease, deps.clock.nowMs());
  if (outcome === 'lease-lost') throw stale(undefined);
  const body: ReportView = { status: 'running', cancelRequested: outcome === 'cancel-requested' };
  return { status: 200, body };
}
