import { isSameSchedule } from '../../../../lambdas/core/schedule/same-schedule';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const every = (text: string, more: object = {}): ScheduleSpec => ({ type: 'interval', every: text, ...more });
const cron = (expression: string, more: object = {}): ScheduleSpec => ({ type: 'cron', expression, ...more });

test.each<[ScheduleSpec, ScheduleSpec]>([
  [every('60s'), every('1m')],
  [every('1m'), every('PT60S')],
  [every('P1Y'), every('P12M')],
  ['every 60s', every('PT1M')],
  ['rate(60 minutes)', every('1h')],
  [
    { type: 'delay', delay: '90s' },
    { type: 'delay', delay: 'PT1M30S' },
  ],
  [
    { type: 'event', name: 'a', debounce: '60s' },
    { type: 'event', name: 'a', debounce: '1m' },
  ],
  [
    { type: 'after', jobs: ['a', 'b'] },
    { type: 'after', jobs: ['b', 'a'], on: 'succeeded' },
  ],
  [
    { type: 'at', at: '2026-12-01T09:00:00+01:00' },
    { type: 'at', at: '2026-12-01T09:00', timezone: 'Europe/Berlin' },
  ],
  ['at(2026-12-01T08:00:00)', { type: 'at', at: '2026-12-01T08:00:00.000Z' }],
  [every('1h', { anchor: '2026-12-01T09:00:00+01:00' }), every('1h', { anchor: '2026-12-01T08:00Z' })],
  [every('P1M', { anchor: '2026-12-01T09:00:00+01:00' }), every('P1M', { anchor: '2026-12-01T08:00Z' })],
  [
    cron('0 9 * * 1-5', { startAt: '2026-12-01T00:00:00Z', jitter: '60s' }),
    cron('0 9 * * MON-FRI', { startAt: '2026-12-01T01:00:00+01:00', jitter: '1m', timezone: 'utc' }),
  ],
  ['@daily', cron('0 0 0 * * *', { dst: { gap: 'shift' }, exclude: [], onExcluded: 'skip' })],
  ['cron(0 9 * * ? *)', '0 9 * * *'],
])('%j is the same as %j', (...[one, other]) => {
  expect(isSameSchedule(one, other)).toBe(true);
});

test.each<[ScheduleSpec, ScheduleSpec]>([
  [every('60s'), every('61s')],
  [every('30d'), every('P1M')],
  [every('1h'), every('1h', { anchor: '2026-12-01T08:00:00Z' })],
  // the first is the 31st of a month in Berlin, the second the 30th in UTC
  [
    every('P1M', { anchor: '2026-12-31T00:30:00', timezone: 'Europe/Berlin' }),
    every('P1M', { anchor: '2026-12-30T23:30:00Z' }),
  ],
  [cron('0 9 * * *'), cron('0 9 * * *', { timezone: 'Europe/Berlin' })],
  // over a change of the clocks, the first keeps its spacing, the second its times
  [cron('*/30 1-3 * * *'), cron('0,30 1-3 * * *')],
  [cron('0 9 * * *'), cron('0 9 * * *', { exclude: ['2026-12-25'] })],
  [cron('0 9 * * *'), cron('0 9 * * *', { maxRuns: 3 })],
  [{ type: 'at', at: 'soon' }, { type: 'none' }],
])('%j is not the same as %j', (...[one, other]) => {
  expect(isSameSchedule(one, other)).toBe(false);
});
