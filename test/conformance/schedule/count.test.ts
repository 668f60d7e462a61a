import fc from 'fast-check';

import { CronCalendar } from '../../../lambdas/core/schedule/cron-calendar';
import { parseCronExpression } from '../../../lambdas/core/schedule/cron-expression';
import { nthLastOccurrence } from '../../../lambdas/core/schedule/nth-occurrence';
import { parseSchedule } from '../../../lambdas/core/schedule/parse';
import type { Schedule } from '../../../lambdas/core/schedule/schedule';
import type { ScheduleSpec } from '../../../lambdas/core/schedule/spec';
import { IS_DEEP } from '../../support/deep';
import { cron, dst, exclude, expression, interval, START_MS, zone } from '../../support/schedule-arbitrary';
import { CALENDARS, moving, NOW_MS as CORNERS_MS } from '../../support/schedule-corners';
import { stepsOf } from '../../support/schedule-steps';

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];
const runs = IS_DEEP ? 5_000 : 25;

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
        const range = { afterMs, untilMs: throughMs };
        expect(nthLastOccurrence(one, expected, range)).toBe(times[0]);
        expect(nthLastOccurrence(one, expected + 1, range)).toBeUndefined();
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

  test('of any that moves its occurrences, in the one way or the other of deciding where to', () => {
    const part = fc.integer({ min: 0, max: WALKED });
    const from = fc.integer({ min: -40 * 86_400, max: 400 * 86_400 });
    fc.assert(
      fc.property(moving, from, part, (spec, sec, index) => {
        const context = { jobKey: 'alice/report', changedAtMs: START_MS, calendars: CALENDARS };
        const one = parseSchedule(spec, context);
        const afterMs = CORNERS_MS + sec * SECOND_MS;
        const times = walk(one, afterMs);
        const throughMs = times[Math.min(index, times.length - 1)] ?? afterMs + DAY_MS;
        const expected = Math.min(index + 1, times.length);
        expect(one.count(afterMs, throughMs, Number.POSITIVE_INFINITY)).toBe(expected);
        // Contents that follow each other decide day by day, here all alike.
        const changes = [-500, 0, 500].map((days) => CORNERS_MS + days * DAY_MS);
        const changed = CALENDARS.map((calendar) => ({
          ...calendar,
          earlier: changes.map((untilMs) => ({ untilMs, calendar: calendar.calendar })),
        }));
        const other = parseSchedule(spec, { ...context, calendars: changed });
        const isLost = (atMs: number) => changes.some((changeMs) => Math.abs(atMs - changeMs) < 33 * DAY_MS);
        expect(walk(other, afterMs).filter((at) => at <= throughMs && !isLost(at))).toEqual(
          times.filter((at) => at <= throughMs && !isLost(at)),
        );
      }),
      { numRuns: Math.ceil(runs / 5) },
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

  /** The 11,000 excluded times after which a search ends, at up to five steps each. */
  const SEARCH_STEPS = 55_000;

  test('of a search that finds nothing but excluded times', () => {
    const one = schedule({
      type: 'cron',
      expression: '0 14 1-4 1/2 6',
      exclude: ['0-0 14 * * *'],
    });
    expect(stepsOf(() => expect(one.next(START_MS)).toBeUndefined())).toBeLessThan(SEARCH_STEPS);
  });

  test('of any definition', () => {
    fc.assert(
      fc.property(fc.oneof(cron, interval), (spec) => {
        const one = schedule(spec);
        expect(stepsOf(() => one.count(START_MS, START_MS + 3_653 * DAY_MS, 1e9))).toBeLessThan(250_000);
        expect(stepsOf(() => one.next(START_MS))).toBeLessThan(SEARCH_STEPS);
      }),
      { numRuns: IS_DEEP ? 1_000 : 10 },
    );
  });
});
