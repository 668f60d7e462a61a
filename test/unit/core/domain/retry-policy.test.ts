import fc from 'fast-check';

import { DAY_MS, HOUR_MS } from '../../../../lambdas/core/clock/clock';
import {
  completePolicy,
  decideRetry,
  DEFAULT_RETRY_ON,
  isRetriedStatus,
  storedPolicy,
  type RetriedStatus,
  type RetryPolicy,
} from '../../../../lambdas/core/domain/retry-policy';

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
    ['jitter full: as without the field', { jitter: 'full' }, {}, 5_000],
    ['no jitter: initialDelay, whatever is random', { jitter: 'none' }, { fraction: NEVER }, 10_000],
    ['no jitter, the 2nd failure', { jitter: 'none' }, { failures: 2 }, 20_000],
    ['no jitter, the 4th failure: maxDelay', { jitter: 'none' }, { failures: 4 }, 60_000],
    ['no jitter and a multiplier of 1: fixed', { jitter: 'none', multiplier: 1 }, { failures: 4 }, 10_000],
    ['no jitter, a longer Retry-After', { jitter: 'none' }, { retryAfterMs: 30_000 }, 30_000],
    ['no jitter, a shorter Retry-After', { jitter: 'none' }, { retryAfterMs: 9_999 }, 10_000],
    ['a Retry-After above six hours', {}, { retryAfterMs: 6 * HOUR_MS + 1 }, 6 * HOUR_MS],
  ])('%s', (_, settings, of, delayMs) => {
    expect(decideRetry({ ...policy, ...settings }, { ...attempt, ...of })).toEqual({
      retry: true,
      startAtMs: NOW_MS + delayMs,
    });
  });
});

test('no retry starts before the due time: the clock that decides may be behind the one that called', () => {
  const dueAtMs = NOW_MS + 4_000;
  const soon = decideRetry(policy, { ...attempt, dueAtMs, fraction: NEVER });
  expect(soon).toEqual({ retry: true, startAtMs: dueAtMs });
  const later = decideRetry(policy, { ...attempt, dueAtMs, fraction: LONGEST });
  expect(later).toEqual({ retry: true, startAtMs: NOW_MS + 9_999 });
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

describe('the bounds of the delay', () => {
  const seconds = fc.integer({ min: 1, max: 86_400 });
  const settings = fc.record({
    initialSec: seconds,
    aboveSec: fc.integer({ min: 0, max: 86_400 }),
    multiplier: fc.double({ min: 1, max: 10, noNaN: true }),
    failures: fc.integer({ min: 1, max: 100 }),
    fraction: fc.double({ min: 0, max: LONGEST, noNaN: true }),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 10 * HOUR_MS }), { nil: undefined }),
  });

  test.each(['full', 'none'] as const)('jitter %s keeps within them', (jitter) => {
    fc.assert(
      fc.property(settings, ({ initialSec, aboveSec, multiplier, ...of }) => {
        const initialMs = initialSec * 1_000;
        const maxMs = Math.min(DAY_MS, initialMs + aboveSec * 1_000);
        const delays = { initialDelay: `${initialSec}s`, maxDelay: `${maxMs / 1_000}s`, maxAge: '30d' };
        const decided = decideRetry(
          { ...policy, ...delays, multiplier, jitter, maxAttempts: 101 },
          { ...attempt, ...of },
        );
        const delayMs = decided.retry ? decided.startAtMs - NOW_MS : NaN;
        const askedMs = Math.min(of.retryAfterMs ?? 0, 6 * HOUR_MS);
        const leastMs = Math.max(askedMs, jitter === 'none' ? initialMs : 0);
        expect(delayMs).toBeGreaterThanOrEqual(leastMs);
        expect(delayMs).toBeLessThanOrEqual(Math.max(askedMs, maxMs));
        if (multiplier === 1) expect(delayMs).toBeLessThanOrEqual(Math.max(askedMs, initialMs));
      }),
    );
  });
});

describe('whether a status is retried', () => {
  test.each<[on: RetriedStatus[] | undefined, retried: number[], not: number[]]>([
    [undefined, [0, 99, 408, 425, 429, 500, 503, 599, 600, 999], [101, 300, 301, 400, 404, 407, 409, 499]],
    [[], [], [300, 408, 425, 429, 500, 503]],
    [[409], [409], [408, 410, 425, 429, 500, 503]],
    [
      [409, '5xx'],
      [409, 500, 599, 600],
      [404, 408, 429, 499],
    ],
    [['4xx'], [400, 408, 499], [399, 500]],
    [
      ['3xx', 503],
      [300, 399, 503],
      [299, 400, 500, 502],
    ],
  ])('%j', (on, retried, not) => {
    const all = [...retried, ...not];
    expect(all.filter((status) => isRetriedStatus(status, on))).toEqual(retried);
  });
});

describe('the form of a policy', () => {
  it('has every field when it is shown', () => {
    expect(completePolicy(policy)).toEqual({ ...policy, jitter: 'full', on: [408, 425, 429, '5xx'] });
  });

  it('is stored without what is the default', () => {
    expect(storedPolicy(completePolicy(policy))).toEqual(policy);
    expect(completePolicy(policy).on).not.toBe(DEFAULT_RETRY_ON);
  });

  it('keeps what is not the default', () => {
    const other: RetryPolicy = { ...policy, jitter: 'none', on: [] };
    expect(storedPolicy(other)).toEqual(other);
    expect(completePolicy(other)).toEqual(other);
  });
});
