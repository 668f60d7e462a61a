import { backoffCeilingMs, decideRetry } from '../../../../lambdas/core/domain/retry-policy';

const policy = { maxAttempts: 5, initialDelay: '10s', maxDelay: '1m', multiplier: 2, maxAge: '24h' };
const at = { failures: 1, dueAtMs: 0, nowMs: 1_000, fraction: 0.5 };

test('the ceiling doubles from the initial delay up to the longest one', () => {
  expect([1, 2, 3, 4, 5].map((failures) => backoffCeilingMs(policy, failures))).toEqual([
    10_000, 20_000, 40_000, 60_000, 60_000,
  ]);
});

test('full jitter: anywhere from at once to the ceiling', () => {
  expect(decideRetry(policy, { ...at, fraction: 0 })).toEqual({ retry: true, startAtMs: 1_000 });
  expect(decideRetry(policy, { ...at, fraction: 0.9999 })).toEqual({ retry: true, startAtMs: 10_999 });
});

test('Retry-After is a lower bound, and bounded itself', () => {
  expect(decideRetry(policy, { ...at, retryAfterMs: 30_000 })).toEqual({ retry: true, startAtMs: 31_000 });
  expect(decideRetry(policy, { ...at, retryAfterMs: 2, fraction: 0.5 })).toEqual({
    retry: true,
    startAtMs: 6_000,
  });
  const week = decideRetry(policy, { ...at, retryAfterMs: 7 * 86_400_000 });
  expect(week).toEqual({ retry: true, startAtMs: 1_000 + 6 * 3_600_000 });
});

test('attempts and age are bounded', () => {
  expect(decideRetry(policy, { ...at, failures: 4 }).retry).toBe(true);
  expect(decideRetry(policy, { ...at, failures: 5 })).toEqual({ retry: false, reason: 'attempts-exhausted' });
  const old = { ...at, nowMs: 24 * 3_600_000, fraction: 0.1 };
  expect(decideRetry(policy, old)).toEqual({ retry: false, reason: 'max-age' });
});
