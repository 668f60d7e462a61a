import fc from 'fast-check';

import { Calendar, type CalendarContent, WEEKDAYS } from '../../../../../lambdas/core/schedule/calendar';
import { parseSchedule } from '../../../../../lambdas/core/schedule/parse';
import type { PlannedSchedule } from '../../../../../lambdas/core/schedule/planned-schedule';
import type { CronSpec } from '../../../../../lambdas/core/schedule/spec';
import { IS_DEEP } from '../../../../support/deep';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 20);
const dayText = (day: number): string => new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10);

function excluding(spec: CronSpec, content: Partial<CalendarContent>): PlannedSchedule {
  const calendar = new Calendar({ weekdays: [], dates: [], yearly: [], ...content });
  const exclude = [{ calendar: 'x' }];
  return parseSchedule(
    { ...spec, exclude },
    { jobKey: '', changedAtMs: 0, calendars: [{ id: 'x', calendar }] },
  );
}

it.each(['skip', 'next-day', 'previous-day'] as const)(
  'answers alike whatever it was asked before: %s',
  (onExcluded) => {
    const spec: CronSpec = { type: 'cron', expression: '0 9,17 1,15 * *', onExcluded };
    const asked = fc.integer({ min: 0, max: 400 }).map((day) => START_MS + day * DAY_MS);
    const excluded = fc.record({
      weekdays: fc.subarray([...WEEKDAYS], { maxLength: 6 }),
      dates: fc.array(
        fc
          .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 90 }))
          .map(([from, days]) => ({ from: dayText(from), to: dayText(from + days) })),
        { maxLength: 4 },
      ),
    });
    fc.assert(
      fc.property(excluded, asked, (content, fromMs) => {
        const one = excluding(spec, content);
        const walk = [fromMs];
        for (let at = one.next(fromMs); at !== undefined && walk.length < 12; at = one.next(at))
          walk.push(at);
        for (const ms of walk) expect(one.next(ms)).toBe(excluding(spec, content).next(ms));
      }),
      { numRuns: IS_DEEP ? 500 : 15 },
    );
  },
);

it('comes on a 29th of February, if every other date of the year is excluded', () => {
  const yearly = Array.from({ length: 366 }, (_, at) => new Date(Date.UTC(2000, 0, 1 + at)))
    .map((date) => date.toISOString().slice(5, 10))
    .filter((date) => date !== '02-29');
  const { next } = excluding({ type: 'cron', expression: '0 9 * * *' }, { yearly, weekdays: ['MON'] });
  // That of 2044 is a Monday.
  expect(next(Date.UTC(2040, 2, 1))).toBe(Date.UTC(2048, 1, 29, 9));
  expect(next(Date.UTC(2044, 2, 1))).toBe(Date.UTC(2048, 1, 29, 9));
});
