import { instantText, localText, parseDurationMs, relative, spanText } from '../../../../cli/terminal/times';

test.each([
  [0, 'in 0s'],
  [59_400, 'in 59s'],
  [59_999, 'in 1m'],
  [7_199_000, 'in 1h 59m'],
  [500 * 86_400_000 - 300, 'in 500d'],
  [60_000, 'in 1m'],
  [7_200_000, 'in 2h'],
  [-90_000_000, '1d 1h ago'],
])('%i ms away is %s', (ms, text) => {
  const nowMs = Date.parse('2026-12-01T09:00:00Z');
  expect(relative(new Date(nowMs + ms).toISOString(), nowMs)).toBe(text);
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [12_340, '12.3 s'],
  [1_218_736, '20m 19s'],
  [90_000_000, '1d 1h'],
])('%i ms are %s', (ms, text) => expect(spanText(ms)).toBe(text));

test('milliseconds are shown unless they are zero', () => {
  expect(instantText('2026-12-01T09:00:00.000Z')).toBe('2026-12-01 09:00:00');
  expect(instantText('2026-12-01T09:00:00.120Z')).toBe('2026-12-01 09:00:00.120');
});

test.each([
  ['2026-12-01T09:00:00.000Z', 'Europe/Berlin', 'Tue 2026-12-01 10:00:00+01:00'],
  ['2026-12-01T23:30:00.999Z', 'Asia/Kolkata', 'Wed 2026-12-02 05:00:00+05:30'],
  ['2026-12-01T00:00:00Z', 'America/New_York', 'Mon 2026-11-30 19:00:00-05:00'],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', 'Sun 2026-10-25 02:30:00+01:00'],
  ['2026-12-01T00:00:00Z', 'UTC', 'Tue 2026-12-01 00:00:00+00:00'],
  ['2026-12-01T00:00:00Z', 'Mars/Olympus', undefined],
  ['2026-12-01T00:00:00Z', undefined, undefined],
])('%s in %s is %s', (instant, zone, text) => {
  expect(localText(instant, zone)).toBe(text);
});

test('durations are parsed to milliseconds', () => {
  expect(['500ms', '30s', '10m', '2h', '1d'].map(parseDurationMs)).toEqual([
    500, 30_000, 600_000, 7_200_000, 86_400_000,
  ]);
  expect(['', '5', 's', '-1s', '1.5h', '1w'].map(parseDurationMs)).toEqual(Array(6).fill(undefined));
});
