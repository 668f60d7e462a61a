import { describeSchedule, scheduleOf } from '../../../cli/schedule-text';

const timezone = 'Europe/Berlin';

test.each<[string, object | string]>([
  ['30 9 * * MON-FRI', { type: 'cron', expression: '30 9 * * MON-FRI', timezone }],
  ['*/10 * * * * *', { type: 'cron', expression: '*/10 * * * * *', timezone }],
  ['@daily', { type: 'cron', expression: '@daily', timezone }],
  ['every 30s', { type: 'interval', every: '30s', timezone }],
  ['@every 5m', { type: 'interval', every: '5m', timezone }],
  ['90m', { type: 'interval', every: '90m', timezone }],
  ['every 1h30m', { type: 'interval', every: '1h30m', timezone }],
  ['30m 1h', { type: 'interval', every: '90m', timezone }],
  ['every 5 minutes', { type: 'interval', every: '5m', timezone }],
  ['every 1 hour 30 s', { type: 'interval', every: '1h30s', timezone }],
  ['every P1M', { type: 'interval', every: 'P1M', timezone }],
  ['2026-12-01T09:00', { type: 'at', at: '2026-12-01T09:00', timezone }],
  ['2026-12-01 09:00:30', { type: 'at', at: '2026-12-01T09:00:30', timezone }],
  ['{"type":"cron","expression":"0 9 * * *"}', { type: 'cron', expression: '0 9 * * *', timezone }],
])('%s', (text, schedule) => {
  expect(scheduleOf(text, { timezone })).toEqual(schedule);
});

test.each<[string, object]>([
  ['in 10m', { type: 'delay', delay: '10m' }],
  ['in 5 minutes', { type: 'delay', delay: '5m' }],
  ['in 1d12h', { type: 'delay', delay: '1d12h' }],
  ['2026-12-01T09:00:00.5+01:00', { type: 'at', at: '2026-12-01T09:00:00.5+01:00' }],
])('%s is an exact moment, and cannot have a time zone', (text, schedule) => {
  expect(scheduleOf(text)).toEqual(schedule);
  expect(() => scheduleOf(text, { timezone })).toThrow('--timezone has no effect');
});

test.each(['rate(5 minutes)', 'cron(0 9 ? * MON-FRI *)', 'at(2026-12-01T09:00:00)'])(
  '%s is not parsed, and cannot have a time zone',
  (text) => {
    expect(scheduleOf(text)).toBe(text);
    expect(() => scheduleOf(text, { timezone })).toThrow('is always in UTC');
  },
);

test.each([
  '',
  'soon',
  'every day',
  'in a while',
  'every 5 mints',
  'in 5',
  'every 1h and',
  '* * * *',
  '{',
  '1 2 3 4 5 6 7 8',
])('%j is not a schedule', (text) => {
  expect(() => scheduleOf(text)).toThrow(/is not a schedule|is not JSON/);
});

test.each<[string, object]>([
  ['none', { type: 'none' }],
  ['after ingest', { type: 'after', jobs: ['ingest'] }],
  ['after ingest, clean', { type: 'after', jobs: ['ingest', 'clean'] }],
  ['event order.paid', { type: 'event', name: 'order.paid' }],
])('%s has no due times', (text, schedule) => {
  expect(scheduleOf(text, { timezone })).toEqual(schedule);
});

test('a schedule is shown as it was typed', () => {
  for (const text of [
    'every 30s',
    'in 10m',
    'rate(5 minutes)',
    '0 9 * * *',
    'none',
    'after a, b',
    'event order.paid',
  ])
    expect(describeSchedule(scheduleOf(text))).toBe(text);
  expect(describeSchedule(scheduleOf('0 9 * * *', { timezone }))).toBe('0 9 * * * Europe/Berlin');
});
