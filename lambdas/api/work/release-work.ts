import { deliveredBy } from '../../core/ending/runs/delivered-by';
import { returnUnbegun } from '../../core/attempts/return-unbegun';
import { workerHandle } from '../../core/attempts/claim-ticket';
import { jobRefOf } from '../../core/contracts/tables';
import type { ReportView } from '../../core/http/openapi/answers';
import { EmptyBody } from '../../core/http/job';
import { holdsLease } from '../../core/store/execution-store';
import { reportingAttemptOf, stale } from '../attempts/attempt-report';
import { readOptionalBody } from '../http/parse-request';
import { conflict } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200: claimed work is given back before it has begun, and waits in its queue again. Throws `ProblemError`
 * 409 if the lease is lost, or if a target was called for it.
 */
export async function releaseWork(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { lease } = await reportingAttemptOf(request, deps);
  readOptionalBody(request, EmptyBody);
  const execution = await deps.executions.get(lease);
  if (!execution || !holdsLease(execution, lease)) throw stale(undefined);
  if (!execution.delegatedTo?.toWorker) throw conflict('only work that was claimed from a queue is released');
  const { job, run } = await deliveredBy(lease, await deps.jobs.get(jobRefOf(lease.jobKey)), deps);
  const status = await returnUnbegun({ execution, handle: workerHandle(lease), job, run }, 'released', deps);
  if (status === 'lease-lost') throw stale(undefined);
  return { status: 200, body: { status } satisfies ReportView };
}
