import fc from 'fast-check';

import { AllowedTimes } from '../../../../../lambdas/core/schedule/allowed-times';
import { Calendar, WEEKDAYS } from '../../../../../lambdas/core/schedule/calendar';
import { zoneOf } from '../../../../../lambdas/core/schedule/zone';
import { IS_DEEP } from '../../../../support/deep';

const DAY_SEC = 86_400;
const DAYS = 31;
/** Clocks of some zones change within a month of it, at an hour, at half an hour, or by a whole day. */
const FIRST_DAYS = ['2011-12-15', '2026-03-01', '2026-03-20', '2026-10-01'].map(
  (date) => Date.parse(date) / (DAY_SEC * 1_000),
);
const hours = (count: number): string => `T${String(count).padStart(2, '0')}:30`;
const dayText = (day: number): string => new Date(day * DAY_SEC * 1_000).toISOString().slice(0, 10);

const definition = fc
  .record({
    firstDay: fc.constantFrom(...FIRST_DAYS),
    offsetHours: fc.integer({ min: -12, max: 14 }),
    timesOfDay: fc
      .uniqueArray(fc.integer({ min: 0, max: 47 }), { minLength: 1, maxLength: 24 })
      .map((halves) => halves.sort((a, b) => a - b).map((half) => half * 1_800)),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/New_York'),
    weekdays: fc.subarray([...WEEKDAYS]),
    ranges: fc.array(
      fc.tuple(fc.integer({ min: -3, max: DAYS + 3 }), fc.integer({ min: 0, max: 23 }), fc.nat({ max: 40 })),
      { maxLength: 4 },
    ),
  })
  .map(({ firstDay, weekdays, zone, ranges, ...rest }) => {
    const dates = ranges.map(([day, hour, length]) => ({
      from: dayText(firstDay + day) + hours(hour),
      to: dayText(firstDay + day + Math.floor((hour + length + 1) / 24)) + hours((hour + length + 1) % 24),
    }));
    return { firstDay, ...rest, calendar: new Calendar({ weekdays, dates, yearly: [], timezone: zone }) };
  });

test.each(['exclude', 'only'] as const)('tells of days what it tells of each of their times: %s', (use) => {
  fc.assert(
    fc.property(definition, ({ firstDay, offsetHours, timesOfDay, calendar }) => {
      const allowed = new AllowedTimes(
        { exclude: [], only: [], [use]: [{ id: 'x', calendar }] },
        zoneOf('UTC'),
      );
      const offsetSec = offsetHours * 3_600;
      const found = allowed.timesOn({ firstDay, offsetSec }, DAYS, timesOfDay);
      const times = [...found].map((bits) => timesOfDay.filter((_, index) => bits & (1 << index)));
      const startSec = (index: number) => (firstDay + index) * DAY_SEC - offsetSec;
      expect(times).toEqual(
        times.map((_, index) => timesOfDay.filter((time) => allowed.isAllowed(startSec(index) + time))),
      );
    }),
    { numRuns: IS_DEEP ? 2_000 : 200 },
  );
});
