import { DAY_MS, MINUTE_MS } from '../../../../lambdas/core/clock/clock';
import {
  CLOCK_SKEW_MS,
  delaySecFor,
  durationMsOf,
  expiresAtSecAfter,
  mayBeScanned,
  oldestClaimedMs,
  RECHECK_AFTER_MS,
  WRITE_DEADLINE_MS,
} from '../../../../lambdas/core/domain/timing';
import { T0_MS } from '../../../support/factories';

test.each<[what: string, aheadMs: number, horizonMs: number, scanned: boolean]>([
  ['now', 0, 0, true],
  ['an hour ago', -60 * MINUTE_MS, 0, true],
  ['within the two minutes of margin', 2 * MINUTE_MS - 1, 0, true],
  ['the first bucket beyond them', 2 * MINUTE_MS, 0, false],
  ['the last instant of a bucket that begins within them', 3 * MINUTE_MS - 1, MINUTE_MS, true],
  ['the first bucket beyond a horizon of 3 min and the margin', 5 * MINUTE_MS, 3 * MINUTE_MS, false],
  ['the bucket before it', 5 * MINUTE_MS - 1, 3 * MINUTE_MS, true],
])('a scanner may have passed %s', (_, aheadMs, horizonMs, scanned) => {
  expect(mayBeScanned(T0_MS + aheadMs, T0_MS, horizonMs)).toBe(scanned);
});

test('a bucket that begins within the margin may have been scanned as a whole', () => {
  const nowMs = T0_MS + 1; // T0 begins a bucket
  expect(mayBeScanned(T0_MS + 3 * MINUTE_MS - 1, nowMs, 0)).toBe(true);
  expect(mayBeScanned(T0_MS + 3 * MINUTE_MS, nowMs, 0)).toBe(false);
});

test('the bounds that the documentation names', () => {
  expect({ CLOCK_SKEW_MS, WRITE_DEADLINE_MS, RECHECK_AFTER_MS }).toEqual({
    CLOCK_SKEW_MS: 5_000,
    WRITE_DEADLINE_MS: 10_000,
    RECHECK_AFTER_MS: 20_000,
  });
});

test('nothing is written behind the sweep: a write ends before its entry is rechecked, by any clock', () => {
  expect(WRITE_DEADLINE_MS + CLOCK_SKEW_MS).toBeLessThan(RECHECK_AFTER_MS);
});

test.each<[aheadMs: number, delaySec: number]>([
  [-60_000, 0],
  [0, 0],
  [1_099, 0],
  [1_100, 1],
  [2_099, 1],
  [2_100, 2],
  [900_100, 900],
  [3_600_000, 900],
])('a message that starts in %i ms is delayed by %i s', (aheadMs, delaySec) => {
  expect(delaySecFor(T0_MS + aheadMs, T0_MS)).toBe(delaySec);
});

test('an occurrence is claimed as new up to a day before its row would expire', () => {
  expect(oldestClaimedMs(T0_MS, 30)).toBe(T0_MS - 29 * DAY_MS);
});

test('retention ends at the first full second after so many days', () => {
  expect(expiresAtSecAfter(T0_MS, 30)).toBe((T0_MS + 30 * DAY_MS) / 1_000);
  expect(expiresAtSecAfter(T0_MS + 1, 30)).toBe((T0_MS + 30 * DAY_MS) / 1_000 + 1);
});

test('what ended before it began, by another clock, took no time', () => {
  const row = { startedAtMs: T0_MS + 667, attempts: [] };
  expect(durationMsOf({ ...row, finishedAtMs: T0_MS })).toBe(0);
  expect(durationMsOf({ ...row, finishedAtMs: T0_MS + 700 })).toBe(33);
});
