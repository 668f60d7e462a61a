import { MINUTE_MS } from '../../../../lambdas/core/clock/clock';
import {
  expectationIdOf,
  expectationOf,
  expectingSince,
  firstExpectation,
  isExpected,
  nextExpectation,
} from '../../../../lambdas/core/domain/expectation';
import { aJob } from '../../../support/factories';

const T = Date.parse('2026-12-01T08:30:00Z');
const everyMs = 10 * MINUTE_MS;
const expected = { sinceMs: T, atMs: T + everyMs };

test('an id names its expectation, and an id of an execution names none', () => {
  expect(expectationOf(expectationIdOf(expected))).toEqual(expected);
  expect(expectationOf('20261201T083000.000Z')).toBeUndefined();
  expect(expectationOf('20261201T083000.000Z-4f1c')).toBeUndefined();
});

test('a success in time moves the expectation to its end and one period', () => {
  const successMs = T + 3 * MINUTE_MS;
  const step = nextExpectation(expected, { everyMs, successMs }, expected.atMs + 20_000);
  expect(step).toEqual({ isMissed: false, next: { sinceMs: T, atMs: successMs + everyMs } });
});

test('without a success it is missed, and the next one is a period later', () => {
  const step = nextExpectation(expected, { everyMs, successMs: undefined }, expected.atMs + 20_000);
  expect(step).toEqual({ isMissed: true, next: { sinceMs: T, atMs: expected.atMs + everyMs } });
});

test('periods of an outage are missed once', () => {
  const { next } = nextExpectation(expected, { everyMs, successMs: T }, expected.atMs + 35 * MINUTE_MS);
  expect(next.atMs).toBe(expected.atMs + 4 * everyMs);
});

test('an active job expects from its creation, change or resume on, and a paused one nothing', () => {
  const job = expectingSince(aJob({ expectEvery: '10m' }), T);
  expect(firstExpectation(job)).toEqual(expected);
  expect(isExpected(expected, job)).toBe(true);
  expect(isExpected(expected, expectingSince(job, T + 1))).toBe(false);
  expect(isExpected(expected, { ...job, status: 'paused' })).toBe(false);
  const { expectEvery: _, ...without } = job;
  expect(expectingSince(without, T)).not.toHaveProperty('expectSinceMs');
});
