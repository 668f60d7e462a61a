import type { ReportView } from '../../core/http/answers';
import { EmptyBody } from '../../core/http/job';
import { attemptTokenOf, stale } from './attempt-report';
import { readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * The target is still at work: its lease is kept for another `heartbeatTimeout`. Once somebody has asked to cancel, the
 * lease is left to run out, and the answer says so.
 */
export async function heartbeatAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { lease } = await attemptTokenOf(request, deps);
  readOptionalBody(request, EmptyBody);
  const outcome = await deps.executions.heartbeat(lease, deps.clock.nowMs());
  if (outcome === 'lease-lost') throw stale(undefined);
  const body: ReportView = { status: 'running', cancelRequested: outcome === 'cancel-requested' };
  return { status: 200, body };
}
