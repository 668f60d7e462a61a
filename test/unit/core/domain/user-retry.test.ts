import { afterUserRetry } from '../../../../lambdas/core/domain/user-retry';
import { anAttempt, anExecution, T0_MS } from '../../../support/factories';

test('a user retry leads to attempt 1, and keeps the fence and the history', () => {
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
    progress: { value: 0.5, atMs: T0_MS },
    blocksKey: true as const,
  };
  expect(afterUserRetry({ ...failed, ...end }, { startAtMs: T0_MS + 60_000 })).toEqual({
    ...before,
    status: 'retrying',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startAtMs: T0_MS + 60_000,
    userRetries: 1,
  });
});

test("each user retry begins a life of its own, under the job's present ordering key", () => {
  const ended = anExecution({ status: 'failed', userRetries: 1, orderingKey: 'old', occupiesJob: true });
  const retried = afterUserRetry(ended, { startAtMs: T0_MS, orderingKey: 'new' });
  expect(retried).toMatchObject({ userRetries: 2, orderingKey: 'new' });
  expect(retried).not.toHaveProperty('occupiesJob');
  expect(afterUserRetry(ended, { startAtMs: T0_MS })).not.toHaveProperty('orderingKey');
});

test('a skipped one loses its skipped range, and carries the delivery depth of the request', () => {
  const skipped = anExecution({
    status: 'skipped',
    reason: 'misfire',
    skipped: { fromMs: T0_MS, toMs: T0_MS, count: 1 },
  });
  const retried = afterUserRetry(skipped, { startAtMs: T0_MS, deliveryDepth: 2 });
  expect(retried).toMatchObject({ status: 'retrying', deliveryDepth: 2 });
  expect(retried).not.toHaveProperty('skipped');
  expect(afterUserRetry(skipped, { startAtMs: T0_MS })).not.toHaveProperty('deliveryDepth');
});
