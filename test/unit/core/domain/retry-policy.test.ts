import { DAY_MS, HOUR_MS } from '../../../../lambdas/core/clock/clock';
import { decideRetry, type RetryPolicy } from '../../../../lambdas/core/domain/retry-policy';

const NEVER = 0;
const LONGEST = 1 - Number.EPSILON;
const NOW_MS = 1_000;

const policy: RetryPolicy = {
  maxAttempts: 5,
  initialDelay: '10s',
  maxDelay: '1m',
  multiplier: 2,
  maxAge: '24h',
};
const attempt = { failures: 1, dueAtMs: 0, nowMs: NOW_MS, fraction: 0.5 };
type Attempt = Partial<Parameters<typeof decideRetry>[1]>;

describe('the delay before the next attempt', () => {
  test.each<[what: string, settings: Partial<RetryPolicy>, attempt: Attempt, delayMs: number]>([
    ['full jitter at 0: at once', {}, { fraction: NEVER }, 0],
    ['full jitter just below 1: just below initialDelay', {}, { fraction: LONGEST }, 9_999],
    ['full jitter at one half', {}, {}, 5_000],
    ['the 2nd failure: initialDelay × multiplier', {}, { failures: 2, fraction: LONGEST }, 19_999],
    ['the 3rd failure: initialDelay × multiplier²', {}, { failures: 3, fraction: LONGEST }, 39_999],
    ['the 4th failure: maxDelay, since 80 s is more', {}, { failures: 4, fraction: LONGEST }, 59_999],
    ['a multiplier of 1: always initialDelay', { multiplier: 1 }, { failures: 4, fraction: LONGEST }, 9_999],
    ['a maxDelay equal to initialDelay', { maxDelay: '10s' }, { failures: 3, fraction: LONGEST }, 9_999],
    ['no failure counted yet: as after the first', {}, { failures: 0, fraction: LONGEST }, 9_999],
    ['a Retry-After above the backoff', {}, { retryAfterMs: 30_000 }, 30_000],
    ['a Retry-After above maxDelay', {}, { retryAfterMs: HOUR_MS }, HOUR_MS],
    ['a Retry-After below the backoff', {}, { retryAfterMs: 2 }, 5_000],
    ['a Retry-After of 0', {}, { retryAfterMs: 0 }, 5_000],
    ['a Retry-After of six hours', {}, { retryAfterMs: 6 * HOUR_MS }, 6 * HOUR_MS],
    ['a Retry-After above six hours', {}, { retryAfterMs: 6 * HOUR_MS + 1 }, 6 * HOUR_MS],
  ])('%s', (_, settings, of, delayMs) => {
    expect(decideRetry({ ...policy, ...settings }, { ...attempt, ...of })).toEqual({
      retry: true,
      startAtMs: NOW_MS + delayMs,
    });
  });
});

describe('whether there is a next attempt', () => {
  const last = { failures: 4 };
  const atOnce = { fraction: NEVER };
  test.each<[what: string, attempt: Attempt, decision: true | 'attempts-exhausted' | 'max-age']>([
    ['one attempt is left', last, true],
    ['maxAttempts have failed', { failures: 5 }, 'attempts-exhausted'],
    ['more than maxAttempts have failed: the policy was changed', { failures: 6 }, 'attempts-exhausted'],
    ['it would start exactly maxAge after the due time', { ...atOnce, nowMs: DAY_MS }, true],
    ['it would start 1 ms later', { ...atOnce, nowMs: DAY_MS + 1 }, 'max-age'],
    ['the backoff goes beyond maxAge', { nowMs: DAY_MS - 4_999 }, 'max-age'],
    ['Retry-After goes beyond maxAge', { ...atOnce, nowMs: DAY_MS - 999, retryAfterMs: 1_000 }, 'max-age'],
    ['maxAge counts from the due time', { ...atOnce, dueAtMs: 1, nowMs: DAY_MS + 1 }, true],
    ['both: the attempts decide', { failures: 5, nowMs: 2 * DAY_MS }, 'attempts-exhausted'],
  ])('%s', (_, of, decision) => {
    const decided = decideRetry(policy, { ...attempt, ...of });
    expect(decided.retry || decided.reason).toBe(decision);
  });
});
