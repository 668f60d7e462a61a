import fc from 'fast-check';

import { pauseMs, untilDueMs } from '../../../console/api/pace';

test.each([
  ['nothing ahead', undefined, 30_000],
  ['an hour ahead', '2026-11-23T10:00:00.000Z', 30_000],
  ['ten seconds ahead', '2026-11-23T09:00:10.000Z', 11_000],
  ['a second ahead', '2026-11-23T09:00:01.000Z', 5_000],
  ['past', '2026-11-23T08:59:00.000Z', 5_000],
])('a ledger with %s asks again after its pause', (_, dueAt, ms) => {
  expect(untilDueMs(dueAt, Date.parse('2026-11-23T09:00:00Z'))).toBe(ms);
});

test('the pace: as asked while answers come, doubled by each failure up to a minute, spread by a tenth', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000, max: 60_000 }),
      fc.nat(10),
      fc.nat(),
      (everyMs, failures, lastAtMs) => {
        const pause = pauseMs(everyMs, failures, lastAtMs);
        expect(pause).toBeGreaterThanOrEqual(everyMs * 0.9 - 1);
        expect(pause).toBeLessThanOrEqual(66_001);
        expect(pauseMs(everyMs, failures, lastAtMs)).toBe(pause);
      },
    ),
  );
  expect(pauseMs(2_000, 1, 100)).toBe(10_000);
});
