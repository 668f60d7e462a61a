import { parseSchedule } from '../../../../lambdas/core/schedule/parse';
import type { CronSpec } from '../../../../lambdas/core/schedule/spec';

const CONTEXT = { jobKey: 'alice/report', changedAtMs: 0 };

function times(spec: Omit<CronSpec, 'type'>, from: string, count: number): string[] {
  const schedule = parseSchedule({ type: 'cron', ...spec }, CONTEXT);
  const found: string[] = [];
  let atMs = schedule.next(Date.parse(from));
  while (atMs !== undefined && found.length < count) {
    found.push(new Date(atMs).toISOString().slice(0, 19));
    atMs = schedule.next(atMs);
  }
  return found;
}

describe('cron expressions', () => {
  it.each([
    ['0 0 L-3 * *', ['2026-01-28', '2026-02-25', '2026-03-28']],
    ['0 0 L,15 * *', ['2026-01-15', '2026-01-31', '2026-02-15']],
    ['0 0 L-30 * *', ['2026-03-01', '2026-05-01', '2026-07-01']],
    ['0 0 31W * *', ['2026-01-30', '2026-03-31', '2026-05-29']],
    ['0 0 28W 2 *', ['2026-02-27', '2027-02-26', '2028-02-28']],
    ['0 0 30W 2 *', []],
    ['0 0 * * FRI#5', ['2026-01-30', '2026-05-29', '2026-07-31']],
    ['0 0 * * FRIL', ['2026-01-30', '2026-02-27', '2026-03-27']],
    ['0 0 * * 7L', ['2026-01-25', '2026-02-22', '2026-03-29']],
    ['0 0 L * 1#1', ['2026-01-05', '2026-01-31', '2026-02-02']],
    ['0 0 * * 5-7', ['2026-01-02', '2026-01-03', '2026-01-04']],
    ['0 0 * * 5/2', ['2026-01-02', '2026-01-04', '2026-01-09']],
    ['0 0 5/10 * ?', ['2026-01-05', '2026-01-15', '2026-01-25']],
    ['0 0 1 11/1 *', ['2026-11-01', '2026-12-01', '2027-11-01']],
    ['0 0 29 2 1', ['2026-02-02', '2026-02-09', '2026-02-16']],
    ['0 0 *,13 * 5', ['2026-01-02', '2026-01-09', '2026-01-16']],
    ['@Monthly', ['2026-02-01', '2026-03-01', '2026-04-01']],
    ['@annually', ['2027-01-01', '2028-01-01', '2029-01-01']],
    ['@midnight', ['2026-01-02', '2026-01-03', '2026-01-04']],
  ])('%s', (expression, days) => {
    expect(times({ expression }, '2026-01-01T00:00:00Z', days.length || 1)).toEqual(
      days.map((day) => `${day}T00:00:00`),
    );
  });

  it('take seconds first in six fields, and a year last in seven', () => {
    expect(times({ expression: '*/25 59 23 31 12 *' }, '2026-01-01T00:00:00Z', 4)).toEqual([
      '2026-12-31T23:59:00',
      '2026-12-31T23:59:25',
      '2026-12-31T23:59:50',
      '2027-12-31T23:59:00',
    ]);
    expect(times({ expression: '30 0 12 29 2 ? 2027-2032/1' }, '2026-01-01T00:00:00Z', 9)).toEqual([
      '2028-02-29T12:00:30',
      '2032-02-29T12:00:30',
    ]);
    expect(times({ expression: '0 0 0 1 1 * 2199' }, '2026-01-01T00:00:00Z', 9)).toEqual([
      '2199-01-01T00:00:00',
    ]);
  });

  it('go on across a century without a leap day, in a zone whose rules lie far ahead', () => {
    expect(
      times({ expression: '0 0 29 2 *', timezone: 'America/New_York' }, '2096-03-01T00:00:00Z', 1),
    ).toEqual(['2104-02-29T05:00:00']);
    expect(times({ expression: '0 0 0 29 2 ? *' }, '2199-01-01T00:00:00Z', 1)).toEqual([
      '2204-02-29T00:00:00',
    ]);
  });

  it.each([
    ['4 fields', '* * * *'],
    ['8 fields', '* * * * * * * *'],
    ['7 fields with a year before 1970', '0 0 0 1 1 * 1969'],
    ['a year after 2199', '0 0 0 1 1 * 2200'],
    ['a step of nothing', '*/0 * * * *'],
    ['a step over the whole field', '*/61 * * * *'],
    ['two steps', '*/5/2 * * * *'],
    ['an open range', '5- * * * *'],
    ['an empty item at the end', '1, * * * *'],
    ['day 0', '0 0 0 * *'],
    ['day 32', '0 0 32 * *'],
    ['month 0', '0 0 1 0 *'],
    ['weekday 8', '0 0 * * 8'],
    ['numbers that run backwards', '0 0 * * 6-0'],
    ['a fifth-and-more weekday', '0 0 * * MON#0'],
    ['a range of nth weekdays', '0 0 * * MON-WED#1'],
    ['a last day of an unnamed week', '0 0 * * L'],
    ['L where there are no days', 'L * * * *'],
    ['W without a day', '0 0 W * *'],
    ['32W', '0 0 32W * *'],
    ['more than 30 days before the last', '0 0 L-31 * *'],
    ['a month name among weekdays', '0 0 * * JAN'],
    ['a star with a number', '*5 * * * *'],
    ['a fraction', '1.5 * * * *'],
    ['hexadecimal', '0x1 * * * *'],
    ['a no-break space', '0\u00a00 * * *'],
    ['@reboot', '@reboot'],
    ['a macro and more', '@daily 5'],
  ])('are refused with %s', (_, expression) => {
    expect(() => times({ expression }, '2026-01-01T00:00:00Z', 1)).toThrow(
      expect.objectContaining({ name: 'ScheduleError', path: 'expression' }),
    );
  });
});

describe('changes of clocks', () => {
  const overlap = (expression: string, choice: 'first' | 'second' | 'both') =>
    times({ expression, timezone: 'America/New_York', dst: { overlap: choice } }, '2026-11-01T04:30:00Z', 3);

  it('run a fixed time in the first pass of the repeated hour, the second, or both', () => {
    const next = '2026-11-02T06:30:00';
    expect(overlap('30 1 * * *', 'first').slice(0, 2)).toEqual(['2026-11-01T05:30:00', next]);
    expect(overlap('30 1 * * *', 'second').slice(0, 2)).toEqual(['2026-11-01T06:30:00', next]);
    expect(overlap('30 1 * * *', 'both')).toEqual(['2026-11-01T05:30:00', '2026-11-01T06:30:00', next]);
  });

  it('keep the passes of a list apart: all of the first, then all of the second', () => {
    expect(overlap('0,30 1 * * *', 'both')).toEqual([
      '2026-11-01T05:00:00',
      '2026-11-01T05:30:00',
      '2026-11-01T06:00:00',
    ]);
    expect(overlap('0,30 1 * * *', 'second')).toEqual([
      '2026-11-01T06:00:00',
      '2026-11-01T06:30:00',
      '2026-11-02T06:00:00',
    ]);
  });

  it('find the second pass of a date that comes once a year, or never again', () => {
    const yearly = (expression: string, choice: 'second' | 'both') =>
      times(
        { expression, timezone: 'America/New_York', dst: { overlap: choice } },
        '2026-11-01T05:30:00Z',
        2,
      );
    const [second, nextYear] = ['2026-11-01T06:30:00', '2027-11-01T05:30:00'];
    expect(yearly('30 1 1 11 *', 'both')).toEqual([second, nextYear]);
    expect(yearly('30 1 1 11 *', 'second')).toEqual([second, nextYear]);
    expect(yearly('0 30 1 1 11 * 2026', 'both')).toEqual([second]);
  });

  it('do not bend expressions that keep their spacing, whatever is chosen', () => {
    const hourly = ['2026-11-01T05:00:00', '2026-11-01T06:00:00', '2026-11-01T07:00:00'];
    for (const choice of ['first', 'second', 'both'] as const)
      expect(overlap('0 * * * *', choice)).toEqual(hourly);
  });

  it('shift over three hours, and over no more', () => {
    const daily = (timezone: string, from: string) => times({ expression: '0 2 * * *', timezone }, from, 2);
    // Casey went from +08 to +11 at 04:00 local time
    expect(
      times({ expression: '30 4 * * *', timezone: 'Antarctica/Casey' }, '2018-10-06T00:00:00Z', 2),
    ).toEqual(['2018-10-06T20:00:00', '2018-10-07T17:30:00']);
    // Vostok went from +00 to +07 at midnight
    expect(daily('Antarctica/Vostok', '1994-10-31T12:00:00Z')).toEqual([
      '1994-11-01T19:00:00',
      '1994-11-02T19:00:00',
    ]);
  });

  it('give the exact instant where an offset has seconds', () => {
    expect(
      times({ expression: '0 12 * * *', timezone: 'Africa/Monrovia' }, '1972-01-06T00:00:00Z', 2),
    ).toEqual(['1972-01-06T12:44:30', '1972-01-07T12:00:00']);
  });
});

describe('counting', () => {
  it('takes both ends as next does, and stops at the limit', () => {
    const hourly = parseSchedule({ type: 'cron', expression: '0 * * * *' }, CONTEXT);
    const [noonMs, hourMs] = [Date.parse('2026-01-01T12:00:00Z'), 3_600_000];
    expect(hourly.count(noonMs, noonMs + 5 * hourMs, 100)).toBe(5);
    expect(hourly.count(noonMs - 1, noonMs + 5 * hourMs - 1, 100)).toBe(5);
    expect(hourly.count(noonMs, noonMs + 5 * hourMs, 3)).toBe(3);
    expect(hourly.count(noonMs, noonMs, 3)).toBe(0);
  });
});

describe('time zones', () => {
  it('are known by their names in any case, aliases included', () => {
    for (const timezone of ['america/new_york', 'US/Eastern', 'AMERICA/NEW_YORK']) {
      expect(times({ expression: '0 9 * * *', timezone }, '2026-01-01T00:00:00Z', 1)).toEqual([
        '2026-01-01T14:00:00',
      ]);
    }
  });

  it.each([
    'Mars/Olympus',
    '../etc/passwd',
    'UTC+25',
    'EST5',
    '+05:30',
    'UTC\u0000',
    '',
    ' ',
    'Factory',
    'constructor',
  ])('are not %j', (timezone) => {
    expect(() => times({ expression: '0 9 * * *', timezone }, '2026-01-01T00:00:00Z', 1)).toThrow(
      expect.objectContaining({ path: 'timezone', message: expect.stringContaining('is no IANA time zone') }),
    );
  });
});

describe('an expression that cannot be read', () => {
  it.each([
    ['* * * *', 'has 4 fields; 5 to 7 are needed'],
    ['TZ=Europe/Berlin 0 9 * * *', 'leave out "TZ=Europe/Berlin", and set timezone to "Europe/Berlin"'],
    ['CRON_TZ=europe/berln 0 9 * * *', 'and set timezone to "Europe/Berlin"'],
    ['0 9 * * MON-FRI Europe/Berlin', 'leave out "Europe/Berlin", and set timezone to "Europe/Berlin"'],
    ['0 0 9 * * ? 2026 UTC', 'set timezone to "UTC"'],
    ['0 9 * * * PST', 'leave out "PST", and set timezone to an IANA name'],
    ['0 9 * * * +02:00', 'leave out "+02:00", and set timezone to an IANA name'],
    ['0 9 * * MONDAY', 'day-of-week field "MONDAY": "MONDAY" is no value; did you mean "MON"?'],
    ['0 9 1 SEPTEMBER *', 'month field "SEPTEMBER": "SEPTEMBER" is no value; did you mean "SEP"?'],
    ['0 22-2 * * *', 'a range must not run backwards; write 22-23,0-2'],
    ['0 9 * * 6-0', 'write 6,0'],
    ['0 9 * * SAT-SUN', 'write SAT,SUN'],
    ['0 9 * * FRI-MON', 'write FRI-SAT,SUN-MON'],
    ['0 9 1 NOV-FEB *', 'write NOV-DEC,JAN-FEB'],
  ])('%s: %s', (expression, message) => {
    for (const spec of [expression, { type: 'cron', expression } as const])
      expect(() => parseSchedule(spec, CONTEXT)).toThrow(
        expect.objectContaining({ message: expect.stringContaining(message) }),
      );
  });

  it.each([
    ['Europe/Berln', 'Europe/Berlin'],
    ['berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['America/NewYork', 'America/New_York'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['eastern standard time', 'America/New_York'],
    ['Pacific Standard Time (Mexico)', 'America/Tijuana'],
    ['W. Europe Daylight Time', 'Europe/Berlin'],
    ['(UTC-05:00) Eastern Time (US & Canada)', 'America/New_York'],
  ])('names the zone that %s is close to', (timezone, close) => {
    expect(() => parseSchedule({ type: 'cron', expression: '0 9 * * *', timezone }, CONTEXT)).toThrow(
      `did you mean "${close}"?`,
    );
  });

  it.each(['x', 'PST', 'GMT+2', 'UTC+2'])('%s is close to no zone', (timezone) => {
    expect(() => parseSchedule({ type: 'cron', expression: '0 9 * * *', timezone }, CONTEXT)).toThrow(
      'allowed are names such as',
    );
  });
});
