import { FailBody } from '../../core/contracts/http/report';
import { leaseOf, takeReport } from '../attempt-report';
import { firstBytes } from '../first-bytes';
import { readOptionalBody } from '../read';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const KEPT_BYTES = 2_048;

/** The target has given up. */
export async function failAttempt(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const lease = await leaseOf(request, deps);
  const { error, retriable } = readOptionalBody(request, FailBody);
  const outcome = retriable ? 'retriable' : 'fatal';
  return takeReport(lease, { outcome, error: firstBytes(error, KEPT_BYTES) }, deps);
}
