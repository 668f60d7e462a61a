import fc from 'fast-check';

import type { ScheduleSpec } from '../../lambdas/core/schedule/spec';

/** Any recurring schedule that the API accepts, over days from `START_MS`. */

const [SECOND_MS, DAY_MS] = [1_000, 86_400_000];
export const START_MS = Date.UTC(2026, 0, 1);

const field = (min: number, max: number): fc.Arbitrary<string> => {
  const value = fc.integer({ min, max });
  return fc.oneof(
    fc.constant('*'),
    value.map(String),
    fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.tuple(value, fc.integer({ min: 2, max: 9 })).map(([from, step]) => `${from}/${step}`),
    fc.uniqueArray(value, { minLength: 2, maxLength: 4 }).map((values) => values.join(',')),
  );
};
const special = fc.constantFrom('L', 'LW', '15W', 'L-3', '1', '*/2');
const weekdays = fc.constantFrom('*', 'MON-FRI', 'SUNL', '2#3', '6', 'SAT,SUN');
const dayFields = fc.tuple(fc.oneof(field(1, 31), special), field(1, 12), weekdays);

/** With seconds or without, and with any day rule. */
export const expression = (most: 'times' | 'days'): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.option(field(0, 59), { nil: undefined }),
      field(0, 59),
      field(0, 23),
      most === 'days' ? dayFields : fc.constant(['*', '*', '*']),
    )
    .map(([second, minute, hour, days]) => [...(second ? [second] : []), minute, hour, ...days].join(' '));

const date = fc
  .integer({ min: 0, max: 800 })
  .map((day) => new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10));
const exclusion = fc.oneof(
  expression('times'),
  expression('days'),
  date,
  fc.tuple(date, date).map((dates) => dates.sort().join('/')),
);
export const exclude = fc.array(exclusion, { maxLength: 8 });
export const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Kathmandu',
);
export const dst = fc.record({
  gap: fc.constantFrom('shift' as const, 'skip' as const),
  overlap: fc.constantFrom('first' as const, 'second' as const, 'both' as const),
});
const local = fc
  .integer({ min: 0, max: 400 * 86_400 })
  .map((sec) => new Date(START_MS + sec * SECOND_MS).toISOString().slice(0, 19));
const limits = fc.record(
  { startAt: local, jitter: fc.constantFrom('0s', '7m', '24h') },
  { requiredKeys: [] },
);
export const cron = fc
  .record({ expression: expression('days'), timezone: zone, exclude, dst, limits })
  .map(({ limits: more, ...rest }): ScheduleSpec => ({ type: 'cron', ...rest, ...more }));
const every = fc.oneof(
  fc.integer({ min: 1, max: 200 }).map((sec) => `${sec}s`),
  fc.integer({ min: 1, max: 3_000 }).map((minutes) => `${minutes}m`),
  fc.integer({ min: 1, max: 300_000 }).map((sec) => `${sec}s`),
  fc.integer({ min: 1, max: 14 }).map((months) => `P${months}M`),
);
export const interval = fc
  .record({
    every,
    timezone: zone,
    exclude,
    dst,
    limits,
    anchor: fc.option(
      fc.tuple(local, fc.constantFrom('', 'Z', '.250Z')).map((parts) => parts.join('')),
      {
        nil: undefined,
      },
    ),
  })
  .map(({ limits: more, ...rest }): ScheduleSpec => ({ type: 'interval', ...rest, ...more }));
