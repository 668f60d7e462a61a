import fc from 'fast-check';

import { CronCalendar } from '../../../lambdas/core/schedule/cron-calendar';
import { parseCronExpression } from '../../../lambdas/core/schedule/cron-expression';
import { DayTimes } from '../../../lambdas/core/schedule/day-times';
import { parseSchedule } from '../../../lambdas/core/schedule/parse';
import type { Schedule } from '../../../lambdas/core/schedule/schedule';
import type { ScheduleSpec } from '../../../lambdas/core/schedule/spec';
import { SteadyDay } from '../../../lambdas/core/schedule/steady-day';
import { IS_DEEP } from '../../support/deep';

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];
const START_MS = Date.UTC(2026, 0, 1);
const runs = IS_DEEP ? 5_000 : 25;

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
const expression = (most: 'times' | 'days'): fc.Arbitrary<string> =>
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
const exclude = fc.array(exclusion, { maxLength: 8 });
const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Kathmandu',
);
const dst = fc.record({
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
const cron = fc
  .record({ expression: expression('days'), timezone: zone, exclude, dst, limits })
  .map(({ limits: more, ...rest }): ScheduleSpec => ({ type: 'cron', ...rest, ...more }));
const every = fc.oneof(
  fc.integer({ min: 1, max: 200 }).map((sec) => `${sec}s`),
  fc.integer({ min: 1, max: 3_000 }).map((minutes) => `${minutes}m`),
  fc.integer({ min: 1, max: 300_000 }).map((sec) => `${sec}s`),
  fc.integer({ min: 1, max: 14 }).map((months) => `P${months}M`),
);
const interval = fc
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

const schedule = (spec: ScheduleSpec, changedAtMs = START_MS): Schedule =>
  parseSchedule(spec, { jobKey: 'alice/report', changedAtMs });

const WALKED = IS_DEEP ? 2_000 : 400;

/** The first due times after an instant, as `next` finds them one by one. */
function walk({ next }: Schedule, afterMs: number): number[] {
  const times: number[] = [];
  for (let at = next(afterMs); at !== undefined && times.length < WALKED; at = next(at)) times.push(at);
  return times;
}

describe('counting agrees with a walk', () => {
  test.each([
    ['cron', cron],
    ['interval', interval],
  ])('of any %s', (_, specs) => {
    const from = fc.integer({ min: 0, max: 500 * 86_400 });
    const part = fc.integer({ min: 0, max: WALKED });
    fc.assert(
      fc.property(specs, from, part, (spec, sec, index) => {
        const one = schedule(spec);
        const afterMs = START_MS + sec * SECOND_MS;
        const times = walk(one, afterMs);
        const throughMs = times[Math.min(index, times.length - 1)];
        if (throughMs === undefined) return;
        const expected = Math.min(index + 1, times.length);
        expect(one.count(afterMs, throughMs, Number.POSITIVE_INFINITY)).toBe(expected);
        expect(one.count(afterMs, throughMs - 1, Number.POSITIVE_INFINITY)).toBe(expected - 1);
        expect(one.count(afterMs, throughMs, 3)).toBe(Math.min(3, expected));
      }),
      { numRuns: runs },
    );
  });

  test('across every change of clocks of some years', () => {
    fc.assert(
      fc.property(expression('times'), zone, dst, exclude, (times, timezone, changes, excluded) => {
        const one = schedule({ type: 'cron', expression: times, timezone, dst: changes, exclude: excluded });
        for (const day of [
          '2026-03-28',
          '2026-10-24',
          '2026-04-04',
          '2026-03-07',
          '2026-10-31',
          '2026-02-14',
        ]) {
          const afterMs = Date.parse(day);
          const found = walk(one, afterMs).filter((at) => at <= afterMs + 3 * DAY_MS);
          if (found.length === WALKED) continue;
          expect(one.count(afterMs, afterMs + 3 * DAY_MS, Number.POSITIVE_INFINITY)).toBe(found.length);
        }
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
  });

  test('and excluded times are those that an exclusion means, one by one', () => {
    fc.assert(
      fc.property(expression('days'), exclude, (text, excluded) => {
        const plain = schedule({ type: 'cron', expression: text });
        const some = schedule({ type: 'cron', expression: text, exclude: excluded });
        const times = walk(plain, START_MS);
        const last = times.at(-1);
        if (last === undefined) return;
        const left = times.filter((at) => !excluded.some((one) => excludes(one, at / SECOND_MS)));
        expect(some.count(START_MS, last, Number.POSITIVE_INFINITY)).toBe(left.length);
        if (left.length > 0) expect(some.next(START_MS)).toBe(left[0]);
      }),
      { numRuns: runs },
    );
  });
});

/** Whether an exclusion means the second, read without any of what counting uses. */
function excludes(text: string, sec: number): boolean {
  const dates = /^(\d{4}-\d\d-\d\d)(?:\/(\S+))?$/.exec(text);
  if (dates) {
    const day = new Date(sec * SECOND_MS).toISOString().slice(0, 10);
    return day >= dates[1]! && day <= (dates[2] ?? dates[1]!);
  }
  const given = parseCronExpression(text);
  return new CronCalendar(given).matches(given.hasSeconds ? sec : Math.floor(sec / 60) * 60);
}

/**
 * The work of one count or search, in steps: a month or a search in the calendar, a day, an hour of a fixed
 * rate. A step takes well below a microsecond; none depends on how many times are planned or excluded.
 */
function stepsOf(work: () => void): number {
  const spies = [
    jest.spyOn(CronCalendar.prototype, 'daysOf'),
    jest.spyOn(CronCalendar.prototype, 'next'),
    jest.spyOn(CronCalendar.prototype, 'matches'),
    jest.spyOn(DayTimes.prototype, 'count'),
    jest.spyOn(DayTimes.prototype, 'countBefore'),
    jest.spyOn(DayTimes.prototype, 'next'),
    jest.spyOn(DayTimes.prototype, 'exclusionsOfHour'),
    jest.spyOn(DayTimes.prototype, 'hasInHour'),
    jest.spyOn(SteadyDay.prototype, 'countBefore'),
  ];
  work();
  const steps = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return steps;
}

describe('steps', () => {
  const MANY_DATES = Array.from({ length: 90 }, (_, day) =>
    new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10),
  );
  /** One second a minute is left. */
  const ONE_SECOND = ['*/2', '1/4', '3/8', '7/16', '15/32'].map((seconds) => `${seconds} * * * * *`);
  const TEN_EXPRESSIONS = Array.from(
    { length: 10 },
    (_, day) => `* ${day}/7 * ${1 + day}-${10 + 2 * day} * *`,
  );
  const specs: [string, ScheduleSpec][] = [
    ['every second', { type: 'cron', expression: '* * * * * *', timezone: 'Europe/Berlin' }],
    [
      'ten expressions and ninety dates excluded',
      {
        type: 'cron',
        expression: '* * * * * *',
        exclude: [...TEN_EXPRESSIONS, ...MANY_DATES],
        timezone: 'Europe/Berlin',
      },
    ],
    ['one second a minute left', { type: 'cron', expression: '* * * * * *', exclude: ONE_SECOND }],
    ['a prime interval', { type: 'interval', every: '61s', exclude: [...TEN_EXPRESSIONS, ...MANY_DATES] }],
    ['an interval of a second', { type: 'interval', every: '1s', exclude: ONE_SECOND }],
  ];

  test.each(specs)('of a count over ten years: %s', (_, spec) => {
    const one = schedule({ ...(spec as object), maxRuns: 100_000 } as ScheduleSpec);
    const steps = stepsOf(() => one.count(START_MS, START_MS + 3_653 * DAY_MS, 1e9));
    expect(steps).toBeLessThan(250_000);
  });

  test.each(specs)('of a search: %s', (_, spec) => {
    const one = schedule(spec);
    expect(stepsOf(() => one.next(START_MS + 5 * HOUR_MS + 7 * MINUTE_MS))).toBeLessThan(2_000);
  });

  test('of any definition', () => {
    fc.assert(
      fc.property(fc.oneof(cron, interval), (spec) => {
        const one = schedule(spec);
        expect(stepsOf(() => one.count(START_MS, START_MS + 3_653 * DAY_MS, 1e9))).toBeLessThan(250_000);
        expect(stepsOf(() => one.next(START_MS))).toBeLessThan(25_000);
      }),
      { numRuns: IS_DEEP ? 1_000 : 10 },
    );
  });
});
