import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../lambdas/core/clock/clock';
import { scheduleOf } from '../../../../lambdas/core/domain/entry-planning';
import type { MisfirePolicy } from '../../../../lambdas/core/domain/job';
import { decideMisfire, graceMsOf, skippedRangeOf } from '../../../../lambdas/core/domain/misfire';
import { aJob, T0_MS } from '../../../support/factories';

const every = (interval: string) =>
  scheduleOf(
    aJob({ schedule: { type: 'interval', every: interval, anchor: new Date(T0_MS).toISOString() } }),
  );

/** Decides a job's occurrences from T0 on; all times in the job's intervals since T0. */
function decide(
  policy: MisfirePolicy,
  interval: string,
  intervalMs: number,
  at: {
    nowMs: number;
    graceMs?: number;
    throughMs?: number;
    dueByMs?: number;
    catchUpWindow?: string;
  },
) {
  const { nowMs, graceMs = MINUTE_MS, throughMs = nowMs, dueByMs = nowMs, catchUpWindow = '1h' } = at;
  const decision = decideMisfire(
    aJob({ misfire: { policy, grace: '60s', catchUpWindow } }),
    every(interval),
    {
      fromMs: T0_MS,
      throughMs: T0_MS + throughMs,
      graceMs,
      nowMs: T0_MS + nowMs,
      dueByMs: T0_MS + dueByMs,
    },
  );
  const inIntervals = (dueAtMs: number) => (dueAtMs - T0_MS) / intervalMs;
  const { skipped, late, inTime } = decision;
  return {
    skipped: skipped && [inIntervals(skipped.fromMs), inIntervals(skipped.toMs)],
    count: skipped?.count,
    late: late.map(inIntervals),
    inTime: inTime.map(inIntervals),
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

type Row = [
  policy: MisfirePolicy,
  found: string,
  at: Parameters<typeof decide>[3],
  outcome: { skipped?: [from: number, to: number]; late?: number[]; inTime?: number[] },
];

function expectRow(interval: string, intervalMs: number, [policy, , at, outcome]: Row): void {
  const { skipped, late = [], inTime = [] } = outcome;
  const count = skipped && skipped[1] - skipped[0] + 1;
  expect(decide(policy, interval, intervalMs, at)).toEqual({ skipped, count, late, inTime });
}

describe('a job that fires once a day', () => {
  test.each<Row>([
    ['skip', 'in time', { nowMs: 0 }, { inTime: [0] }],
    ['skip', 'ahead of its time', { nowMs: -MINUTE_MS, throughMs: 0 }, { inTime: [0] }],
    ['skip', 'exactly its grace late', { nowMs: MINUTE_MS }, { inTime: [0] }],
    ['skip', '1 ms later', { nowMs: MINUTE_MS + 1 }, { skipped: [0, 0] }],
    ['fire-once', 'exactly its grace late', { nowMs: MINUTE_MS }, { inTime: [0] }],
    ['fire-once', '1 ms later', { nowMs: MINUTE_MS + 1 }, { late: [0] }],
    ['fire-once', '1 ms before the next', { nowMs: DAY_MS - 1 }, { late: [0] }],
    ['fire-once', 'when the next is due', { nowMs: DAY_MS }, { skipped: [0, 0], inTime: [1] }],
    ['fire-all', 'exactly its window late', { nowMs: HOUR_MS }, { late: [0] }],
    ['fire-all', '1 ms later', { nowMs: HOUR_MS + 1 }, { skipped: [0, 0] }],
    ['fire-all', 'within a longer window', { nowMs: HOUR_MS + 1, catchUpWindow: '2h' }, { late: [0] }],
    ['fire-now', '1 ms beyond its grace', { nowMs: MINUTE_MS + 1 }, { late: [0] }],
    ['fire-now', 'a week late', { nowMs: 7 * DAY_MS }, { late: range(0, 6), inTime: [7] }],
    ['skip', 'within a longer grace', { nowMs: HOUR_MS, graceMs: HOUR_MS }, { inTime: [0] }],
    ['skip', 'beyond a longer grace', { nowMs: HOUR_MS + 1, graceMs: HOUR_MS }, { skipped: [0, 0] }],
  ])('%s, found %s', (...row) => expectRow('1d', DAY_MS, row));
});

describe('a job that fires each minute, found 5 min late', () => {
  const nowMs = 5 * MINUTE_MS;
  test.each<Row>([
    ['skip', 'with all that fell due since', { nowMs }, { skipped: [0, 3], inTime: [4, 5] }],
    ['fire-once', 'with all that fell due since', { nowMs }, { skipped: [0, 3], inTime: [4, 5] }],
    ['fire-all', 'with all that fell due since', { nowMs }, { late: range(0, 3), inTime: [4, 5] }],
    ['fire-now', 'with all that fell due since', { nowMs }, { late: range(0, 3), inTime: [4, 5] }],
    [
      'fire-all',
      'with a window of 3 min',
      { nowMs, catchUpWindow: '3m' },
      { skipped: [0, 1], late: [2, 3], inTime: [4, 5] },
    ],
    [
      'fire-all',
      'with a window shorter than the grace',
      { nowMs, catchUpWindow: '1s' },
      { skipped: [0, 3], inTime: [4, 5] },
    ],
    ['skip', 'for itself alone', { nowMs, throughMs: 0 }, { skipped: [0, 0] }],
    ['fire-once', 'for itself alone: later ones are due', { nowMs, throughMs: 0 }, { skipped: [0, 0] }],
    ['fire-all', 'for itself alone', { nowMs, throughMs: 0 }, { late: [0] }],
    ['fire-now', 'for itself alone', { nowMs, throughMs: 0 }, { late: [0] }],
    [
      'fire-once',
      'when maxRuns ended it after the third',
      { nowMs, throughMs: 2 * MINUTE_MS, dueByMs: 2 * MINUTE_MS },
      { skipped: [0, 1], late: [2] },
    ],
    [
      'fire-now',
      'when maxRuns ended it after the third',
      { nowMs, throughMs: 2 * MINUTE_MS, dueByMs: 2 * MINUTE_MS },
      { late: [0, 1, 2] },
    ],
  ])('%s, %s', (...row) => expectRow('1m', MINUTE_MS, row));
});

describe('a job that fires each second', () => {
  const several = { graceMs: 2 * MINUTE_MS };
  const at = (seconds: number) => ({ ...several, nowMs: seconds * SECOND_MS });
  test.each<Row>([
    ['skip', 'exactly its grace late', at(120), { inTime: range(0, 120) }],
    ['skip', 'a second later', at(121), { skipped: [0, 0], inTime: range(1, 121) }],
    ['fire-once', 'a second later', at(121), { skipped: [0, 0], inTime: range(1, 121) }],
    ['fire-now', 'with 999 due', at(998), { late: range(0, 877), inTime: range(878, 998) }],
    ['fire-now', 'with 1,000 due', at(999), { late: range(0, 878), inTime: range(879, 999) }],
    [
      'fire-now',
      'with 1,001 due: the last 1,000',
      at(1_000),
      { skipped: [0, 0], late: range(1, 879), inTime: range(880, 1_000) },
    ],
    [
      'fire-all',
      'with 1,001 due: the last 1,000',
      at(1_000),
      { skipped: [0, 0], late: range(1, 879), inTime: range(880, 1_000) },
    ],
    [
      'fire-now',
      'two days late',
      { ...several, nowMs: 2 * DAY_MS, throughMs: 59 * SECOND_MS },
      { skipped: [0, 59] },
    ],
  ])('%s, found %s', (...row) => expectRow('1s', SECOND_MS, row));
});

test.each<[grace: string, several: boolean, graceMs: number]>([
  ['0s', false, MINUTE_MS],
  ['60s', false, MINUTE_MS],
  ['61s', false, 61_000],
  ['0s', true, 2 * MINUTE_MS],
  ['119s', true, 2 * MINUTE_MS],
  ['3m', true, 3 * MINUTE_MS],
])('a grace of %s, several occurrences in the entry: %p → %i ms', (grace, several, graceMs) => {
  expect(graceMsOf({ misfire: { policy: 'skip', grace, catchUpWindow: '1h' } }, several)).toBe(graceMs);
});

test.each<[what: string, interval: string, endMs: number, toMs: number, count: number]>([
  ['one occurrence', '1d', 0, 0, 1],
  ['an end between two occurrences', '1m', 90_000, MINUTE_MS, 2],
  ['an end at an occurrence', '1m', 2 * MINUTE_MS, 2 * MINUTE_MS, 3],
  ['100,000 occurrences', '1s', 99_999_000, 99_999_000, 100_000],
  ['more: no more are counted', '1s', 100_000_000, 100_000_000, 100_000],
])('a skipped range of %s', (_, interval, endMs, toMs, count) => {
  const skipped = skippedRangeOf(every(interval), T0_MS, T0_MS + endMs);
  expect(skipped).toEqual({ fromMs: T0_MS, toMs: T0_MS + toMs, count });
});
