import { parseSchedule } from '../../../../lambdas/core/schedule/parse';

const changedAtMs = Date.parse('2026-01-01T00:00:00Z');
const read = (spec: string) => parseSchedule(spec, { jobKey: 'alice/report', changedAtMs });

function times(spec: string, count: number): string[] {
  const found: string[] = [];
  let atMs = read(spec).next(changedAtMs);
  while (atMs !== undefined && found.length < count) {
    found.push(new Date(atMs).toISOString().slice(0, 16));
    atMs = read(spec).next(atMs);
  }
  return found;
}

describe('a schedule in the language of AWS', () => {
  it.each([
    ['rate(1 minute)', ['2026-01-01T00:01', '2026-01-01T00:02']],
    ['rate(5 minutes)', ['2026-01-01T00:05', '2026-01-01T00:10']],
    ['rate(12 hours)', ['2026-01-01T12:00', '2026-01-02T00:00']],
    ['rate(7 days)', ['2026-01-08T00:00', '2026-01-15T00:00']],
    ['cron(0 9 ? * MON-FRI *)', ['2026-01-01T09:00', '2026-01-02T09:00', '2026-01-05T09:00']],
    ['cron(0 9 ? * 2-6 *)', ['2026-01-01T09:00', '2026-01-02T09:00', '2026-01-05T09:00']], // 1 is Sunday
    ['cron(0 9 ? * 1 *)', ['2026-01-04T09:00', '2026-01-11T09:00']],
    ['cron(0 9 ? * L *)', ['2026-01-03T09:00', '2026-01-10T09:00']], // the last day of the week is Saturday
    ['cron(0 10 ? * 6L 2027-2028)', ['2027-01-29T10:00', '2027-02-26T10:00']],
    ['cron(15 10 ? * 3#1 *)', ['2026-01-06T10:15', '2026-02-03T10:15']],
    [
      'cron(0/20 8 L * ? *)',
      ['2026-01-31T08:00', '2026-01-31T08:20', '2026-01-31T08:40', '2026-02-28T08:00'],
    ],
    ['cron(0 18 3W JAN,FEB ? 2026)', ['2026-01-02T18:00', '2026-02-03T18:00']],
  ])('%s', (spec, expected) => {
    expect(times(spec, expected.length)).toEqual(expected);
  });

  it.each([
    'rate(0 minutes)',
    'rate(-1 day)',
    'rate(1e9 days)',
    'rate(1000000000 days)',
    'rate(1 fortnight)',
    'rate(30 seconds)',
    'rate(1.5 hours)',
    'rate(5minutes)',
    'rate()',
    'rate(5 minutes',
    'Rate(5 minutes)',
    ' rate(5 minutes)',
    'cron(0 9 * * * *)',
    'cron(0 9 ? * ? *)',
    'cron(0 9 * * MON-FRI)',
    'cron(0 9 ? * 0 *)',
    'cron(0 9 ? * 8 *)',
    'cron(0 9 ? * MON-FRI 1969)',
    'cron(0 9 ? * MON-FRI 2200)',
    'cron(@daily)',
    'cron(60 9 ? * * *)',
    'cron()',
    'hello',
    '',
    'rate(5 minutes)\n',
  ])('is not %j', (spec) => {
    expect(() => read(spec)).toThrow(expect.objectContaining({ name: 'ScheduleError', path: '' }));
  });
});
