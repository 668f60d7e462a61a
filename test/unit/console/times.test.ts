import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { createHash as inBrowsers } from '../../../console/planning/node-crypto';
import { plannedDays } from '../../../console/planning/month-days';
import { monthAfter } from '../../../console/time/months';
import {
  bytes,
  day,
  duration,
  isoDate,
  localOf,
  localParts,
  relative,
  startOfDate,
  utcOf,
} from '../../../console/time/format';

const BERLIN = 'Europe/Berlin';

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_234, '1.2 s'],
  [9_949, '9.9 s'],
  [59_400, '59 s'],
  [59_600, '1 m 00 s'],
  [252_000, '4 m 12 s'],
  [7_500_000, '2 h 05 m'],
  [400_000_000, '5 d'],
])('%d ms are %s', (ms, text) => expect(duration(ms)).toBe(text));

test.each([
  [26 * 60_000, 'in 26 min'],
  [-38_000, '38 s ago'],
  [-3 * 3_600_000, '3 h ago'],
  [14 * 86_400_000, 'in 14 d'],
])('%d ms from now is %s', (ms, text) => expect(relative(ms, 0)).toBe(text));

test.each([
  [999, '999 B'],
  [38_400_000, '38 MB'],
  [1_000_000_000, '1.0 GB'],
])('%d bytes are %s', (value, text) => expect(bytes(value)).toBe(text));

test('local times are read in the zone, before and after clocks change', () => {
  expect(utcOf('2026-11-17T09:30', BERLIN)).toBe('2026-11-17T08:30:00.000Z');
  expect(new Date(startOfDate('2027-03-28', BERLIN)).toISOString()).toBe('2027-03-27T23:00:00.000Z');
  expect(new Date(startOfDate('2027-03-29', BERLIN)).toISOString()).toBe('2027-03-28T22:00:00.000Z');
  const kolkata = 'Asia/Kolkata';
  expect(localOf(Date.parse(utcOf('2026-11-17T09:30', kolkata)), kolkata)).toBe('2026-11-17T09:30');
  // A browser lets a user type a year of six digits.
  for (const none of ['', '20266-12-01T09:00']) expect(utcOf(none, BERLIN)).toBe(none);
});

test('a day of another year than now has its year', () => {
  const nowMs = Date.parse('2026-11-28T12:00:00Z');
  expect(day(Date.parse('2026-12-24T12:00:00Z'), BERLIN, nowMs)).toBe('Thu 24 Dec');
  expect(day(Date.parse('2027-11-28T12:00:00Z'), BERLIN, nowMs)).toBe('Sun 28 Nov 2027');
  expect(day(Date.parse('2026-12-31T23:30:00Z'), BERLIN, nowMs)).toBe('Fri 1 Jan 2027');
});

test.each([
  ['2026-11-30T00:30:00+01:00', { day: 'Mon 30 Nov 2026', time: '00:30', offset: 'UTC+1' }],
  ['2026-11-30T21:30:05-05:00', { day: 'Mon 30 Nov 2026', time: '21:30:05', offset: 'UTC-5' }],
  ['2026-12-01T02:30:00.250+05:30', { day: 'Tue 1 Dec 2026', time: '02:30:00.250', offset: 'UTC+5:30' }],
  ['2026-12-01T02:30:00+00:00', { day: 'Tue 1 Dec 2026', time: '02:30', offset: 'UTC' }],
])('%s is read as it is written', (local, parts) => expect(localParts(local)).toEqual(parts));

test('a date begins with its first instant', () => {
  const zones = fc.constantFrom(BERLIN, 'UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland');
  const days = fc.integer({ min: 20_000, max: 22_000 });
  fc.assert(
    fc.property(zones, days, (zone, day) => {
      const date = isoDate(day * 86_400_000, zone);
      const start = startOfDate(date, zone);
      expect([isoDate(start, zone), isoDate(start - 1, zone) < date]).toEqual([date, true]);
    }),
  );
});

test('the calendar knows what is planned, what is left out, and where clocks change', () => {
  const schedule = {
    type: 'cron' as const,
    expression: '30 2,9 * * MON-FRI,SUN',
    timezone: BERLIN,
    exclude: ['2027-03-02/2027-03-03'],
  };
  const days = plannedDays(schedule, '2027-03', BERLIN, { jobKey: 'alice/a', changedAtMs: 0 });
  const of = (date: string) => days.find((one) => one.date === date);
  expect(days).toHaveLength(31);
  expect(of('2027-03-01')).toMatchObject({ planned: 2, isExcluded: false, clocks: undefined });
  expect(of('2027-03-02')).toMatchObject({ planned: 0, isExcluded: true });
  expect(of('2027-03-06')).toMatchObject({ planned: 0, isExcluded: false }); // a Saturday
  expect(of('2027-03-28')).toMatchObject({ planned: 2, clocks: 'clocks change from UTC+1 to UTC+2' });
  expect(monthAfter('2026-11', 2)).toBe('2027-01');
});

test('browsers get the same jitter as the functions', () => {
  fc.assert(
    fc.property(fc.string(), (jobKey) => {
      const expected = createHash('sha256').update(jobKey).digest().readUIntBE(0, 6);
      expect(inBrowsers('sha256').update(jobKey).digest().readUIntBE(0, 6)).toBe(expected);
    }),
  );
});
