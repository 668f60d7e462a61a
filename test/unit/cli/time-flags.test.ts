import { instantIn, rangeOf } from '../../../cli/time-flags';

const nowMs = Date.parse('2026-11-28T10:20:30Z');
const berlin = { zone: 'Europe/Berlin', nowMs };

test.each([
  ['2026-11-01', '2026-10-31T23:00:00.000Z'],
  ['2026-11-01 2:05', '2026-11-01T01:05:00.000Z'],
  ['2026-11-01T02:05:06', '2026-11-01T01:05:06.000Z'],
  ['2026-11-01T02:00:00Z', '2026-11-01T02:00:00.000Z'],
  ['2026-11-01 02:00:00+05:30', '2026-10-31T20:30:00.000Z'],
  ['now', '2026-11-28T10:20:30.000Z'],
  ['today', '2026-11-27T23:00:00.000Z'],
  ['Yesterday 9:30', '2026-11-27T08:30:00.000Z'],
  ['tomorrow at 00:15', '2026-11-28T23:15:00.000Z'],
  ['2h30m ago', '2026-11-28T07:50:30.000Z'],
  ['in 3d', '2026-12-01T10:20:30.000Z'],
  // Clocks go back on 25 October and forward on 28 March.
  ['2026-10-25 00:00', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', '2026-10-25T23:00:00.000Z'],
  ['2027-03-29', '2027-03-28T22:00:00.000Z'],
])('%s is %s for a reader in Berlin', (typed, instant) =>
  expect(instantIn('--from', typed, berlin)).toBe(instant),
);

test('yesterday is the day before on the clocks of the zone, not on those of UTC', () => {
  const late = Date.parse('2026-11-28T23:30:00Z'); // the 29th in Berlin
  expect(instantIn('--from', 'yesterday', { zone: 'Europe/Berlin', nowMs: late })).toBe(
    '2026-11-27T23:00:00.000Z',
  );
  expect(instantIn('--from', 'yesterday', { zone: undefined, nowMs: late })).toBe('2026-11-27T00:00:00.000Z');
});

test.each([
  '',
  'someday',
  '2026-13-01',
  '2026-11-01 25:00',
  '12:00',
  '3 ago',
  'now 12:00',
  '2026-11-01T02:00X',
])('%j is refused by the name of its flag', (typed) =>
  expect(() => instantIn('--to', typed, berlin)).toThrow(/^--to is .*; expected a date such as/),
);

test('--from wins over --since, and what is not given is undefined', () => {
  expect(rangeOf({ since: '24h', from: '2026-11-20' }, berlin)).toEqual({
    from: '2026-11-19T23:00:00.000Z',
    to: undefined,
  });
  expect(rangeOf({ since: '1h', to: 'now' }, berlin)).toEqual({
    from: '2026-11-28T09:20:30.000Z',
    to: '2026-11-28T10:20:30.000Z',
  });
  expect(rangeOf({}, berlin)).toEqual({ from: undefined, to: undefined });
});
