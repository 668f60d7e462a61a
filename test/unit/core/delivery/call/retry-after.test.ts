import { retryAfterMsOf } from '../../../../../lambdas/core/delivery/call/retry-after';

const NOW_MS = Date.parse('2026-11-28T08:49:07Z');

test.each([
  ['1', 1_000],
  ['120', 120_000],
  [' 007 ', 7_000],
  ['9999999999', 9_999_999_999_000],
  ['9'.repeat(400), Infinity],
  ['Sat, 28 Nov 2026 08:49:37 GMT', 30_000],
  ['Saturday, 28-Nov-26 08:49:37 GMT', 30_000],
  ['Sat Nov 28 08:49:37 2026', 30_000],
  ['Tue Dec  1 08:49:07 2026', 3 * 86_400_000],
  ['Sat, 28 Nov 2026 08:49:60 GMT', 53_000],
])('%j is a wait of %d ms', (header, waitMs) => {
  expect(retryAfterMsOf(header, NOW_MS)).toBe(waitMs);
});

test.each([
  [undefined],
  [''],
  ['0'],
  ['-5'],
  ['+30'],
  ['1.5'],
  ['1e3'],
  ['30s'],
  ['2026-11-28T09:00:00Z'],
  ['Sat, 28 Nov 2026 08:49:07 GMT'],
  ['Fri, 27 Nov 2026 08:49:37 GMT'],
  ['Sat, 28 Nov 2026 08:49:37 UTC'],
  ['Sat, 28 Nov 2026 24:00:00 GMT'],
  ['Sun, 31 Nov 2026 08:49:37 GMT'],
  ['Sat, 8 Nov 2027 08:49:37 GMT'],
  ['Sat Nov  0 08:49:37 2027'],
  ['sat, 28 nov 2026 08:49:37 gmt'],
  ['Sunday, 06-Nov-94 08:49:37 GMT'],
])('%j asks for no wait', (header) => {
  expect(retryAfterMsOf(header, NOW_MS)).toBeUndefined();
});

test.each([
  ['2026-11-28T08:49:37Z', '76', '2076-11-28'],
  ['2026-11-28T08:49:36Z', '76', undefined],
  ['2060-01-01T00:00:00Z', '94', '2094-11-28'],
  ['2099-12-31T00:00:00Z', '05', '2105-11-28'],
])('two digits of a year at %s: %s is %s, at most 50 years from now', (now, digits, day) => {
  const waitMs = retryAfterMsOf(`Monday, 28-Nov-${digits} 08:49:37 GMT`, Date.parse(now));
  const until = waitMs === undefined ? undefined : new Date(Date.parse(now) + waitMs).toISOString();
  expect(until?.slice(0, 10)).toBe(day);
});
