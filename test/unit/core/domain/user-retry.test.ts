import { afterUserRetry } from '../../../../lambdas/core/domain/user-retry';
import { anAttempt, anExecution, T0_MS } from '../../../support/factories';

test('an execution that is userRetried waits for attempt 1 under the fence and the history that it had', () => {
  const attempts = [anAttempt({ outcome: 'fatal' })];
  const {
    status: _,
    attempt: _a,
    failures: _f,
    startAtMs: _s,
    ...before
  } = anExecution({ attempts, fence: 3 });
  const failed = { ...before, status: 'failed' as const, attempt: 2, failures: 2, takeovers: 1 };
  const end = {
    reason: 'fatal' as const,
    result: { statusCode: 404 },
    finishedAtMs: T0_MS,
    expiresAtSec: 1,
    heartbeatAtMs: T0_MS,
    blocksKey: true as const,
  };
  expect(afterUserRetry({ ...failed, ...end }, { startAtMs: T0_MS + 60_000 })).toEqual({
    ...before,
    status: 'retrying',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startAtMs: T0_MS + 60_000,
    userRetried: true,
  });
});
