import fc from 'fast-check';

import { Calendar, type CalendarContent } from '../../lambdas/core/schedule/calendar';
import type { ScheduleSpec } from '../../lambdas/core/schedule/spec';
import { dst, zone } from './schedule-arbitrary';

/** The corners of what the API accepts: as much as is allowed of whatever costs work. */

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** Explicit dates lie around it. */
export const NOW_MS = Date.UTC(2027, 2, 29, 9, 13, 7);
const MOST_EXCLUSIONS = 100;
const MOST_DATES = 500;

const dayText = (days: number): string => new Date(NOW_MS + days * DAY_MS).toISOString().slice(0, 10);
const minuteText = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const dates = (one: (index: number) => CalendarContent['dates'][number]): CalendarContent['dates'] =>
  Array.from({ length: MOST_DATES }, (_, index) => one(index));

/** The calendar `n` has every fifth of a row of minutes that lie two minutes apart. */
const minutes = (n: number): CalendarContent['dates'] =>
  dates((index) => {
    const fromMs = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS - 5 * DAY_MS + (index * 5 + n) * 2 * MINUTE_MS;
    return { from: minuteText(fromMs), to: minuteText(fromMs + MINUTE_MS) };
  });

const CONTENTS: readonly [string, Partial<CalendarContent>][] = [
  ['days', { dates: dates((index) => dayText(2 * index - MOST_DATES)) }],
  [
    'halves',
    { dates: dates((i) => ({ from: `${dayText(i - 400)}T03:17`, to: `${dayText(i - 400)}T19:43` })) },
  ],
  ['weekends', { weekdays: ['SAT', 'SUN'] }],
  ['weeks', { weekdays: ['MON', 'TUE', 'WED', 'THU', 'FRI'] }],
  ['elsewhere', { timezone: 'Asia/Tokyo', weekdays: ['MON', 'WED', 'FRI'] }],
  ['yearly', { yearly: ['01-01', '02-29', '12-25'] }],
  ...[0, 1, 2, 3].map((n): [string, Partial<CalendarContent>] => [`minutes-${n}`, { dates: minutes(n) }]),
];
/** As many as a schedule may name. */
export const CALENDARS = CONTENTS.map(([id, content]) => ({
  id,
  calendar: new Calendar({ weekdays: [], dates: [], yearly: [], ...content }),
}));

/** One second a minute is left. */
export const ALL_BUT_ONE_SECOND = ['*/2', '1/4', '3/8', '7/16', '15/32'].map(
  (seconds) => `${seconds} * * * * *`,
);
const expressions = fc.oneof(
  fc.constant([]),
  fc.constant(ALL_BUT_ONE_SECOND),
  fc.array(
    fc.constantFrom(
      ...ALL_BUT_ONE_SECOND,
      '0-58 * * * * *',
      '* 0-58 * * * *',
      '* * 0-22 * * *',
      '17/3 */5 3-23 * 4 *',
      '* 5/7 * 3-17 * *',
      '* * * * * * 2028-2190',
    ),
    { minLength: 1, maxLength: 10 },
  ),
);
const days = fc
  .tuple(fc.constantFrom(0, 80, 90), fc.constantFrom(1, 2, 4))
  .map(([count, apart]) => Array.from({ length: count }, (_, index) => dayText(apart * (index - 40))));
const refs = fc.subarray(
  CALENDARS.map(({ id }) => ({ calendar: id })),
  { minLength: 0 },
);
const exclude = fc
  .tuple(expressions, fc.oneof(fc.constant([]), refs), days)
  .map((parts) => parts.flat().slice(0, MOST_EXCLUSIONS));

const common = {
  timezone: zone,
  exclude,
  dst,
  jitter: fc.constantFrom('0s', '7m', '23h', '24h'),
  maxRuns: fc.constantFrom(undefined, 1_000, 100_000),
};
export const EACH_HOUR = Array.from({ length: 24 }, (_, hour) => hour).join();

/** Excluded occurrences move, some of them to where another one is, or over a change of clocks. */
export const moving: fc.Arbitrary<ScheduleSpec> = fc.record({
  type: fc.constant('cron' as const),
  expression: fc.constantFrom(
    `0 ${EACH_HOUR} * * *`,
    `0 ${EACH_HOUR} * * SAT`,
    '0,30 0,1,2,3,23 * * MON-FRI',
    '15,45 1-3 L,LW * *',
    '0 9 LW * *',
  ),
  onExcluded: fc.constantFrom('next-day' as const, 'previous-day' as const),
  only: fc.oneof(
    fc.constant(undefined),
    fc.constantFrom('weeks', 'elsewhere', 'days', 'halves').map((calendar) => [{ calendar }]),
  ),
  ...common,
});

export const corner: fc.Arbitrary<ScheduleSpec> = fc.oneof(
  fc.record({
    type: fc.constant('interval' as const),
    every: fc.constantFrom('1s', '7s', '59s', '61s', '7m', '86399s', '7d', 'P1M', 'P7M'),
    ...common,
  }),
  fc.record({
    type: fc.constant('cron' as const),
    expression: fc.constantFrom(
      '* * * * * *',
      '*/7 1-59/2 * * 1-6 *',
      '* * * * *',
      '59 59 23 * * *',
      '30 2 * * *',
      '0 0 29 2 SAT#5',
    ),
    ...common,
  }),
  moving,
);

const NINETY_DATES = Array.from({ length: 90 }, (_, day) => dayText(day - 95));
const EACH_CALENDAR = CALENDARS.map(({ id }) => ({ calendar: id }));

/** Definitions that cost much, each for a reason of its own. */
export const EXTREMES: readonly [what: string, spec: ScheduleSpec][] = [
  [
    'never: hours and days, each excluded in part',
    {
      type: 'cron',
      expression: '30 2 * * *',
      timezone: 'Europe/Berlin',
      exclude: ['* * 0-22 * * *', '* * * * MON-FRI', '* 0-58 * * * *', '* * 5-31 * *', ...ALL_BUT_ONE_SECOND],
    },
  ],
  ['never: no such day', { type: 'cron', expression: '0 0 31 2,4,6,9,11 *', timezone: 'Europe/Berlin' }],
  [
    'never: weekends and weeks excluded by calendars',
    {
      type: 'cron',
      expression: '* * * * * *',
      timezone: 'Pacific/Apia',
      exclude: [{ calendar: 'weekends' }, { calendar: 'weeks' }],
    },
  ],
  [
    'each second, but for eighty dates',
    {
      type: 'cron',
      expression: '* * * * * *',
      timezone: 'Europe/Berlin',
      exclude: NINETY_DATES.slice(0, 80),
    },
  ],
  [
    'each 7 s, where one second a minute is left, and ninety days not',
    {
      type: 'interval',
      every: '7s',
      jitter: '23h',
      timezone: 'Europe/Berlin',
      exclude: [...ALL_BUT_ONE_SECOND, ...NINETY_DATES],
    },
  ],
  [
    'each 86,399 s, where few of a year are left',
    {
      type: 'interval',
      every: '86399s',
      timezone: 'Pacific/Apia',
      exclude: [
        ...ALL_BUT_ONE_SECOND,
        { calendar: 'weeks' },
        { calendar: 'elsewhere' },
        { calendar: 'halves' },
      ],
    },
  ],
  [
    '24 times a day that move, among ten calendars',
    {
      type: 'cron',
      expression: `0 ${EACH_HOUR} * * *`,
      timezone: 'Africa/Casablanca',
      onExcluded: 'next-day',
      maxRuns: 100_000,
      exclude: EACH_CALENDAR.filter(({ calendar }) => calendar !== 'weeks'),
    },
  ],
  [
    '24 times a day that move, where no day is left',
    {
      type: 'cron',
      expression: `0 ${EACH_HOUR} * * *`,
      timezone: 'Africa/Casablanca',
      onExcluded: 'previous-day',
      exclude: [...ALL_BUT_ONE_SECOND, ...EACH_CALENDAR],
    },
  ],
  [
    'one time a month that moves, where no day is left',
    {
      type: 'cron',
      expression: '0 9 LW * *',
      timezone: 'Europe/Berlin',
      onExcluded: 'previous-day',
      exclude: EACH_CALENDAR,
    },
  ],
];
