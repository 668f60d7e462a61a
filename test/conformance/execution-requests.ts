import { execIdOfOccurrence } from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import type {
  ClaimRequest,
  Ending,
  ExecutionStore,
  Lease,
  NextAttempt,
} from '../../lambdas/core/store/execution-store';
import { T0_MS } from '../support/factories';

export const aClaim = (overrides: Partial<ClaimRequest>): ClaimRequest => ({
  jobKey: 'user/job',
  execId: execIdOfOccurrence(T0_MS),
  trigger: 'schedule',
  dueAtMs: T0_MS,
  attempt: 1,
  claimId: 'claim-1',
  nowMs: T0_MS + 20,
  ...overrides,
});

export const anEnding = (overrides: Partial<Ending> = {}): Ending => ({
  status: 'succeeded',
  finishedAtMs: T0_MS + 900,
  expiresAtSec: T0_MS / 1_000 + 86_400,
  ...overrides,
});

export const theNext = (overrides: Partial<NextAttempt> = {}): NextAttempt => ({
  attempt: 2,
  startAtMs: T0_MS + 10_000,
  failures: 1,
  takeovers: 0,
  ...overrides,
});

export const leaseOf = ({ jobKey, execId, claimId, fence, attempt }: Execution): Lease => ({
  jobKey,
  execId,
  claimId: claimId!,
  fence,
  attempt,
});

/** A claim that succeeds. */
export async function claimed(store: ExecutionStore, overrides: Partial<ClaimRequest>): Promise<Execution> {
  const answer = await store.claim(aClaim(overrides));
  if (answer.outcome !== 'claimed') throw new Error('the claim was refused');
  return answer.execution;
}
