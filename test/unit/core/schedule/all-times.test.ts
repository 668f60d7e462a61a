import { scheduleOfAllTimes } from '../../../../lambdas/core/schedule/all-times';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const changedAtMs = Date.parse('2026-12-01T08:30:00Z');

function timesIn(spec: ScheduleSpec, from: string, to: string): string[] {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const schedule = scheduleOfAllTimes(spec, { jobKey: 'alice/a', changedAtMs }, fromMs);
  const times: string[] = [];
  for (let at = schedule.next(fromMs - 1); at !== undefined && at < toMs; at = schedule.next(at))
    times.push(new Date(at).toISOString());
  return times;
}

const cron = { type: 'cron', expression: '0 2 * * *' } as const;

test.each<[string, ScheduleSpec]>([
  ['startAt', { ...cron, startAt: '2027-01-01T00:00:00Z' }],
  ['endAt', { ...cron, endAt: '2026-10-01T00:00:00Z' }],
  ['maxRuns', { ...cron, maxRuns: 1 }],
])('%s bounds nothing', (_, spec) => {
  expect(timesIn(spec, '2026-11-01T00:00:00Z', '2026-11-03T02:00:00Z')).toEqual([
    '2026-11-01T02:00:00.000Z',
    '2026-11-02T02:00:00.000Z',
  ]);
});

test.each<[string, ScheduleSpec, string[]]>([
  ['without an anchor', { type: 'interval', every: '6h' }, ['02:30', '08:30', '14:30', '20:30']],
  [
    'with a later anchor',
    { type: 'interval', every: '8h', anchor: '2026-12-24T01:00:00Z' },
    ['01:00', '09:00', '17:00'],
  ],
  ['as a text', 'every 12h', ['08:30', '20:30']],
  ['in the words of AWS', 'rate(12 hours)', ['08:30', '20:30']],
])('an interval %s goes back along its grid', (_, spec, times) => {
  expect(timesIn(spec, '2026-11-05T00:00:00Z', '2026-11-06T00:00:00Z')).toEqual(
    times.map((time) => `2026-11-05T${time}:00.000Z`),
  );
});

test('an interval that had begun before the range keeps its grid', () => {
  const spec = { type: 'interval', every: '1d', anchor: '2026-10-01T04:00:00Z' } as const;
  expect(timesIn(spec, '2026-11-05T04:00:00Z', '2026-11-06T04:00:00Z')).toEqual(['2026-11-05T04:00:00.000Z']);
});

test('an interval of months begins at its anchor', () => {
  const spec = { type: 'interval', every: 'P1M', anchor: '2026-10-15T00:00:00Z' } as const;
  expect(timesIn(spec, '2026-01-01T00:00:00Z', '2026-12-01T00:00:00Z')).toEqual([
    '2026-10-15T00:00:00.000Z',
    '2026-11-15T00:00:00.000Z',
  ]);
});

test('a clock change moves a date as it moves an occurrence', () => {
  const spec = { type: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' } as const;
  expect(timesIn(spec, '2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:00:00.000Z', // 02:30 does not exist: the first instant after it
    '2026-03-30T00:30:00.000Z',
  ]);
});

test.each<[string, ScheduleSpec, number]>([
  ['at', { type: 'at', at: '2026-11-05T00:00:00Z' }, 1],
  ['at of AWS', 'at(2026-11-05T00:00:00)', 1],
  ['delay', { type: 'delay', delay: '10m' }, 0],
])('a one-time schedule (%s) has its one due time', (_, spec, count) => {
  expect(timesIn(spec, '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z')).toHaveLength(count);
});
