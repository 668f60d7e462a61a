import type { AttemptTokenPayload } from '../../core/delivery/attempt-token';
import type { Progress } from '../../core/domain/execution';
import type { ReportView } from '../../core/http/openapi/answers';
import { holdsLease } from '../../core/store/execution-store';
import type { ApiDeps, ApiResponse } from '../request';
import { stale } from './attempt-report';

/**
 * 200: the executor still waits for the response, or has given it up because the execution was cancelled. It
 * keeps the lease itself, so this writes nothing but a progress.
 */
export async function observeAttempt(
  { lease, target = 0 }: AttemptTokenPayload,
  progress: Progress | undefined,
  { executions }: ApiDeps,
): Promise<ApiResponse> {
  const execution = await (progress ? executions.keepProgress(lease, progress) : executions.get(lease));
  if (execution && holdsLease(execution, lease))
    return answer({ status: 'running', cancelRequested: execution.cancelRequested !== undefined });
  const record = execution?.attempts.find((one) => one.fence === lease.fence && one.target === target);
  if (record?.outcome === 'cancelled') return answer({ status: 'cancelled', cancelRequested: true });
  throw stale(record?.outcome);
}

const answer = (body: ReportView): ApiResponse => ({ status: 200, body });
