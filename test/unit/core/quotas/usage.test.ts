import type { Job } from '../../../../lambdas/core/domain/job';
import { boundsOf, minus, NO_USAGE, plus, reaches, type Usage } from '../../../../lambdas/core/quotas/usage';
import { usageOf } from '../../../../lambdas/core/quotas/usage-of';
import { aJob, T0_MS } from '../../../support/factories';
import { noQuotas } from '../../../support/no-quotas';

const at = (minutes: number) => new Date(T0_MS + minutes * 60_000).toISOString();
const every = (interval: string) =>
  ({ schedule: { type: 'interval', every: interval, anchor: at(0) } }) as const;
const once = { schedule: { type: 'at', at: at(1) } } as const;
const twice = {
  scheduleChangedAtMs: T0_MS,
  schedule: { type: 'cron', expression: '* * * * *', maxRuns: 2 },
} as const;

describe('what a job counts towards its user’s quotas', () => {
  const noPayload = { payload: undefined };
  type Row = [
    what: string,
    job: Partial<Job>,
    minute: number,
    usage: [jobs: number, fires: number, bytes: number],
  ];
  test.each<Row>([
    ['fires each minute', { ...every('1m'), ...noPayload }, 0, [1, 60, 0]],
    ['fires each second', { ...every('1s'), ...noPayload }, 0, [1, 3_600, 0]],
    ['fires each hour', { ...every('1h'), ...noPayload }, 0, [1, 1, 0]],
    ['fires each 59 min: the hour begins with the next one', { ...every('59m'), ...noPayload }, 0, [1, 2, 0]],
    ['is paused', { ...every('1m'), ...noPayload, status: 'paused' }, 0, [1, 0, 0]],
    [
      'is paused until a time',
      { ...every('1m'), ...noPayload, status: 'paused', resumeAtMs: T0_MS + 1 },
      0,
      [1, 60, 0],
    ],
    ['has a payload, as JSON, in bytes', { ...every('1h'), payload: { name: 'Zoë' } }, 0, [1, 1, 15]],
    ['has a payload of null', { ...every('1h'), payload: null }, 0, [1, 1, 4]],
    ['is due once', { ...once, ...noPayload }, 0, [1, 1, 0]],
    ['was due once: its row is history', once, 1, [0, 0, 0]],
    ['is paused, and was due once', { ...once, status: 'paused' }, 1, [0, 0, 0]],
    ['has a run of maxRuns left', { ...twice, ...noPayload }, 1, [1, 60, 0]],
    ['has no run of maxRuns left', { ...twice, ...noPayload }, 2, [0, 0, 0]],
  ])('%s', (_, job, minute, [jobs, firesPerHour, payloadBytes]) => {
    expect(usageOf(aJob(job), T0_MS + minute * 60_000)).toEqual({
      ...NO_USAGE,
      jobs,
      firesPerHour,
      payloadBytes,
    });
  });

  test('a schedule that cannot be read throws', () => {
    expect(() => usageOf(aJob({ schedule: { type: 'at', at: 'soon' } }), T0_MS)).toThrow(/soon/);
  });
});

test('bounds are given by the minute, and counted by the hour', () => {
  expect(
    boundsOf({ ...noQuotas.quotaLimits, jobs: 5, firesPerMinute: 2, payloadBytes: 7, liveRuns: 9 }),
  ).toEqual({
    jobs: 5,
    firesPerHour: 120,
    payloadBytes: 7,
    liveRuns: 9,
  });
});

test('usages are added and subtracted field by field', () => {
  const one = { jobs: 1, firesPerHour: 2, payloadBytes: 3, liveRuns: 4 };
  const other = { jobs: 10, firesPerHour: 20, payloadBytes: 30, liveRuns: 40 };
  expect(plus(one, other)).toEqual({ jobs: 11, firesPerHour: 22, payloadBytes: 33, liveRuns: 44 });
  expect(minus(one, other)).toEqual({ jobs: -9, firesPerHour: -18, payloadBytes: -27, liveRuns: -36 });
});

describe('a hundredth of 1,000 jobs, 1,000 fires and 10 bytes', () => {
  const bounds = { jobs: 1_000, firesPerHour: 1_000, payloadBytes: 10, liveRuns: 1_000 };
  test.each<[usage: Partial<Usage>, reached: boolean]>([
    [{}, false],
    [{ jobs: 9 }, false],
    [{ jobs: 10 }, true],
    [{ jobs: -10 }, true],
    [{ jobs: -9 }, false],
    [{ firesPerHour: 10 }, true],
    [{ payloadBytes: 1 }, true],
    [{ liveRuns: -10 }, true],
    [{ jobs: 9, firesPerHour: 9 }, false],
  ])('%p reaches it: %p', (usage, reached) => {
    expect(reaches({ ...NO_USAGE, ...usage }, bounds, 0.01)).toBe(reached);
  });
});
