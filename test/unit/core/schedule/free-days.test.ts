import fc from 'fast-check';

import { NearestFreeDay } from '../../../../lambdas/core/schedule/free-days';

const DAYS = 60;
const days = fc.array(fc.integer({ min: 10, max: DAYS }), { minLength: 1, maxLength: 40 });
const free = fc.uniqueArray(fc.integer({ min: 10, max: DAYS }), { maxLength: 6 });

test.each(['next-day', 'previous-day'] as const)(
  'the nearest free day, by %s, of any days in any order',
  (to) => {
    fc.assert(
      fc.property(days, free, (asked, freeDays) => {
        const sign = to === 'next-day' ? 1 : -1;
        const search = new NearestFreeDay((day) => freeDays.includes(day), to, 5);
        for (const day of asked) {
          const near = [0, 1, 2, 3, 4, 5].map((by) => day + by * sign);
          expect(search.find(day)).toBe(near.find((one) => freeDays.includes(one)));
        }
      }),
    );
  },
);

test('neighbouring days read each day once', () => {
  let reads = 0;
  const search = new NearestFreeDay(() => ++reads < 0, 'next-day', 31);
  for (let day = 0; day < 100; day++) expect(search.find(day)).toBeUndefined();
  expect(reads).toBe(131);
});
