import fc from 'fast-check';

import type { MisfirePolicy } from '../../lambdas/core/domain/job';
import { type CalendarContent, WEEKDAYS } from '../../lambdas/core/schedule/calendar';
import type { ScheduleSpec } from '../../lambdas/core/schedule/spec';
import { dst, expression, zone } from './schedule-arbitrary';
import { ALL_BUT_ONE_SECOND, EACH_HOUR, NOW_MS } from './schedule-corners';

/** Definitions that cost much, with calendars of their own: as large as the API accepts, around `NOW_MS`. */

const [SECOND_MS, MINUTE_MS, DAY_MS] = [1_000, 60_000, 86_400_000];
const [MOST_DATES, MOST_EXCLUSIONS, MOST_CALENDARS] = [500, 100, 10];

export interface Definition {
  spec: ScheduleSpec;
  calendars: readonly { id: string; content: CalendarContent }[];
  policy: MisfirePolicy;
  /** How long before `NOW_MS` the first occurrence was missed. */
  behindMs: number;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const secondText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
const EVERY_DATE = upTo(366).map((day) => dayText(Date.UTC(2_000, 0, 1 + day)).slice(5));

const startMs = fc.integer({ min: -30, max: 0 }).map((days) => NOW_MS + days * DAY_MS);
const count = fc.constantFrom(50, MOST_DATES);
const apart = fc.constantFrom(1, 2, 3, 7);
type Dates = CalendarContent['dates'];

/** Windows one after another, each of which leaves a part of its period. */
const windows = fc
  .record({
    startMs,
    count,
    sec: fc.constantFrom(2, 3, 7, 60, 300, 3_600, 7_200),
    tenths: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ startMs: from, count: most, sec, tenths }): Dates =>
    upTo(most).map((index) => {
      const beginMs = Math.floor(from / MINUTE_MS) * MINUTE_MS + index * sec * SECOND_MS;
      return {
        from: secondText(beginMs),
        to: secondText(beginMs + Math.max(1, Math.floor((sec * tenths) / 10)) * SECOND_MS),
      };
    }),
  );
const singleDays = fc
  .tuple(startMs, count, apart)
  .map(([from, most, days]): Dates => upTo(most).map((index) => dayText(from + index * days * DAY_MS)));
const partsOfDays = fc
  .tuple(startMs, count, apart, fc.constantFrom(['03:17', '19:43'], ['00:00', '23:59']))
  .map(([from, most, days, [begin, end]]): Dates =>
    upTo(most).map((index) => {
      const day = dayText(from + index * days * DAY_MS);
      return { from: `${day}T${begin}`, to: `${day}T${end}` };
    }),
  );
const rangesOfDays = fc.tuple(startMs, count, fc.constantFrom(1, 10, 30)).map(([from, most, days]): Dates =>
  upTo(most).map((index) => {
    const beginMs = from + index * (days + 1) * DAY_MS;
    return { from: dayText(beginMs), to: dayText(beginMs + (days - 1) * DAY_MS) };
  }),
);
const dates = fc.oneof(windows, singleDays, partsOfDays, rangesOfDays);

const yearly = fc.oneof(
  fc.subarray(EVERY_DATE),
  fc.constant(EVERY_DATE.filter((_, index) => index % 2 === 0)),
  fc.constantFrom(...EVERY_DATE).map((left) => EVERY_DATE.filter((date) => date !== left)),
  fc.constant(EVERY_DATE.filter((_, index) => index % 30 !== 0)),
);
const none = fc.constant([]);
const content: fc.Arbitrary<CalendarContent> = fc.record({
  dates: fc.oneof(dates, none),
  yearly: fc.oneof({ arbitrary: yearly, weight: 1 }, { arbitrary: none, weight: 2 }),
  weekdays: fc.oneof({ arbitrary: fc.subarray([...WEEKDAYS]), weight: 1 }, { arbitrary: none, weight: 2 }),
  timezone: fc.option(zone, { nil: undefined }),
});

const exclusions = fc
  .tuple(
    fc.oneof(
      none,
      fc.constant(ALL_BUT_ONE_SECOND),
      fc.array(expression('days'), { minLength: 1, maxLength: 10 }),
    ),
    fc.oneof(
      none,
      fc
        .tuple(startMs, apart)
        .map(([from, days]) => upTo(MOST_EXCLUSIONS).map((index) => dayText(from + index * days * DAY_MS))),
    ),
  )
  .map((parts) => parts.flat());

const timing = fc.oneof(
  fc.record({
    type: fc.constant('interval' as const),
    every: fc.oneof(
      fc.constantFrom('1s', '7s', '59m', '61m', '3599s', '3601s', '86399s', '86401s', '7d', 'P1M', 'P7M'),
      fc.integer({ min: 1, max: 4_000 }).map((sec) => `${sec}s`),
    ),
  }),
  fc.record({
    type: fc.constant('cron' as const),
    expression: fc.oneof(
      fc.constantFrom('* * * * * *', '* * * * *', '59 59 23 * * *', '0 0 29 2 SAT#5', '15 3 15W * *'),
      expression('days'),
    ),
  }),
  fc.record({
    type: fc.constant('cron' as const),
    expression: fc.constantFrom(
      `0 ${EACH_HOUR} * * *`,
      `0 ${EACH_HOUR} * * SAT`,
      '15,45 1-3 L,LW * *',
      '0 9 LW * *',
    ),
    onExcluded: fc.constantFrom('next-day' as const, 'previous-day' as const),
  }),
);

/** How the schedule uses each of the calendars. */
const uses = fc.array(fc.constantFrom('exclude', 'exclude', 'only', 'unused'), {
  minLength: MOST_CALENDARS,
  maxLength: MOST_CALENDARS,
});

export const definition: fc.Arbitrary<Definition> = fc
  .record({
    timing,
    exclusions,
    contents: fc.array(content, { maxLength: MOST_CALENDARS }),
    uses,
    timezone: zone,
    dst,
    jitter: fc.constantFrom('0s', '7m', '23h'),
    maxRuns: fc.constantFrom(undefined, 1_000, 100_000),
    policy: fc.constantFrom<MisfirePolicy>('skip', 'fire-once', 'fire-now', 'fire-all'),
    behindMs: fc.constantFrom(MINUTE_MS, DAY_MS, 30 * DAY_MS, 400 * DAY_MS, 3_652 * DAY_MS),
  })
  .map(({ timing: times, exclusions: texts, contents, uses: use, policy, behindMs, ...rest }) => {
    const calendars = contents.map((one, index) => ({ id: `calendar-${index}`, content: one }));
    const usedAs = (as: string) =>
      calendars.filter((_, index) => use[index] === as).map(({ id }) => ({ calendar: id }));
    const only = usedAs('only');
    const spec: ScheduleSpec = {
      ...times,
      ...rest,
      exclude: [...usedAs('exclude'), ...texts].slice(0, MOST_EXCLUSIONS),
      ...(only.length > 0 && { only }),
    };
    return { spec, calendars, policy, behindMs };
  });
