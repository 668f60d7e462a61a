import fc from 'fast-check';

import { AllowedTimes, allowedOnly } from '../../../../../lambdas/core/schedule/allowed-times';
import { Calendar, type CalendarContent, WEEKDAYS } from '../../../../../lambdas/core/schedule/calendar';
import type { CalendarInUse } from '../../../../../lambdas/core/schedule/calendar-rules';
import { parseSchedule } from '../../../../../lambdas/core/schedule/parse';
import type { PlannedSchedule } from '../../../../../lambdas/core/schedule/planned-schedule';
import type { CronSpec, IntervalSpec } from '../../../../../lambdas/core/schedule/spec';
import { zoneOf } from '../../../../../lambdas/core/schedule/zone';
import { IS_DEEP } from '../../../../support/deep';
import { isExcluded, moved, type NaiveRules } from './naive';

/** A sample; `npm run test:deep` plays more. */
const RUNS = IS_DEEP ? 500 : 15;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 20);
const DAYS = 45;
const END_MS = START_MS + DAYS * DAY_MS;

const dayText = (day: number): string => new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10);
const day = fc.integer({ min: -40, max: DAYS + 40 });
const hour = fc.integer({ min: 0, max: 23 }).map((one) => `T${String(one).padStart(2, '0')}:00`);
const date = fc.oneof(
  day.map(dayText),
  fc
    .tuple(day, fc.integer({ min: 0, max: 40 }))
    .map(([from, days]) => ({ from: dayText(from), to: dayText(from + days) })),
  fc
    .tuple(day, hour, fc.integer({ min: 1, max: 3 }), hour)
    .map(([from, start, days, end]) => ({ from: dayText(from) + start, to: dayText(from + days) + end })),
);
const contents: fc.Arbitrary<CalendarContent> = fc.record({
  weekdays: fc.subarray([...WEEKDAYS], { maxLength: 4 }),
  dates: fc.array(date, { maxLength: 4 }),
  yearly: fc.subarray(['11-30', '12-01', '12-25', '12-26', '01-01']),
});
const rules: fc.Arbitrary<NaiveRules> = fc.record({
  exclude: fc.array(contents, { maxLength: 2 }),
  only: fc.array(contents, { maxLength: 2 }),
});

const inUse = ({ exclude, only }: NaiveRules): CalendarInUse[] => [
  ...exclude.map((content, index) => ({ id: `x${index}`, calendar: new Calendar(content) })),
  ...only.map((content, index) => ({ id: `o${index}`, calendar: new Calendar(content) })),
];
const refs = (prefix: string, list: readonly unknown[]) =>
  list.map((_, index) => ({ calendar: `${prefix}${index}` }));

function scheduleOf(
  spec: CronSpec | IntervalSpec,
  given: NaiveRules,
  calendars: readonly CalendarInUse[] = inUse(given),
): PlannedSchedule {
  const named = { exclude: refs('x', given.exclude), only: refs('o', given.only) };
  return parseSchedule({ ...spec, ...named }, { jobKey: 'alice/job', changedAtMs: START_MS, calendars });
}

function timesOf(schedule: PlannedSchedule): number[] {
  const times: number[] = [];
  for (let at = schedule.next(START_MS - 1); at !== undefined && at < END_MS; at = schedule.next(at))
    times.push(at);
  return times;
}

const every = (stepMs: number): number[] =>
  Array.from({ length: (END_MS - START_MS) / stepMs }, (_, index) => START_MS + index * stepMs);

it('plans what a walk over all times plans, and counts the same', () => {
  const specs: { spec: CronSpec | IntervalSpec; all: number[] }[] = [
    { spec: { type: 'cron', expression: '0 */3 * * *' }, all: every(3 * HOUR_MS) },
    {
      spec: { type: 'cron', expression: '0 9,17 * * *' },
      all: every(HOUR_MS).filter((ms) => [9, 17].includes(new Date(ms).getUTCHours())),
    },
    { spec: { type: 'interval', every: '5h', anchor: '2026-11-20T00:00:00Z' }, all: every(5 * HOUR_MS) },
  ];
  fc.assert(
    fc.property(rules, fc.constantFrom(...specs), (given, { spec, all }) => {
      const schedule = scheduleOf(spec, given);
      const expected = all.filter((ms) => !isExcluded(given, ms));
      expect(timesOf(schedule)).toEqual(expected);
      expect(schedule.count(START_MS - 1, END_MS - 1, 100_000)).toBe(expected.length);
      let added = 0;
      schedule.addByMinute(START_MS - 1, END_MS - 1, (_, count) => (added += count));
      expect(added).toBe(expected.length);
    }),
    { numRuns: RUNS },
  );
});

it.each([
  ['next-day', 1],
  ['previous-day', -1],
] as const)('moves to the nearest free day as a walk does: %s', (onExcluded, step) => {
  fc.assert(
    fc.property(
      rules,
      fc.constantFrom('0 9 * * *', '30 9,17 * * MON-FRI', '0 12 1,15 * *'),
      (given, expression) => {
        const spec: CronSpec = { type: 'cron', expression, onExcluded };
        const schedule = scheduleOf(spec, given);
        const unmoved = parseSchedule({ type: 'cron', expression }, { jobKey: '', changedAtMs: 0 });
        const targets = new Set<number>();
        let at = unmoved.next(START_MS - 40 * DAY_MS);
        for (; at !== undefined && at < END_MS + 40 * DAY_MS; at = unmoved.next(at)) {
          const target = moved(given, at, step);
          if (target !== undefined && target >= START_MS && target < END_MS) targets.add(target);
        }
        const expected = [...targets].sort((a, b) => a - b);
        expect(timesOf(schedule)).toEqual(expected);
        expect(schedule.count(START_MS - 1, END_MS - 1, 100_000)).toBe(expected.length);
      },
    ),
    { numRuns: RUNS },
  );
});

it('runs what is named by its local date at most once, whatever changes how often', () => {
  fc.assert(
    fc.property(
      fc.array(contents, { minLength: 2, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: DAYS * 24 }), { minLength: 3, maxLength: 3 }),
      fc.constantFrom('next-day', 'previous-day'),
      (versions, hours, onExcluded) => {
        const untils = hours
          .sort((a, b) => a - b)
          .slice(0, versions.length - 1)
          .map((at) => START_MS + at * HOUR_MS + 1);
        const step = onExcluded === 'next-day' ? 1 : -1;
        // what runs, version by version, from the naive walk
        const names = new Set<number>();
        const ran = new Set<number>();
        versions.forEach((content, index) => {
          const fromMs = untils[index - 1] ?? Number.NEGATIVE_INFINITY;
          const untilMs = untils[index] ?? Number.POSITIVE_INFINITY;
          for (
            let name = START_MS - 120 * DAY_MS + 9 * HOUR_MS;
            name < END_MS + 40 * DAY_MS;
            name += DAY_MS
          ) {
            const at = moved({ exclude: [content], only: [] }, name, step);
            if (names.has(name) || at === undefined || at <= fromMs || at > untilMs) continue;
            names.add(name);
            ran.add(at);
          }
        });
        const calendars = versions.map((content) => new Calendar(content));
        const earlier = untils.map((untilMs, index) => ({ untilMs, calendar: calendars[index]! }));
        const present = { id: 'x0', calendar: calendars.at(-1)!, earlier };
        const spec: CronSpec = { type: 'cron', expression: '0 9 * * *', onExcluded };
        const schedule = scheduleOf(spec, { exclude: [versions.at(-1)!], only: [] }, [present]);
        const expected = [...ran].filter((at) => at >= START_MS && at < END_MS).sort((a, b) => a - b);
        expect(timesOf(schedule)).toEqual(expected);
      },
    ),
    { numRuns: RUNS },
  );
});

const holidays = (content: Partial<CalendarContent>): CalendarInUse[] => [
  { id: 'x0', calendar: new Calendar({ weekdays: [], dates: [], yearly: [], ...content }) },
];

it('keeps to the zone of the calendar, or else to that of the schedule', () => {
  const spec: CronSpec = {
    type: 'cron',
    expression: '30 0 * * *',
    timezone: 'Asia/Tokyo',
    exclude: [{ calendar: 'x0' }],
  };
  const next = (content: Partial<CalendarContent>) =>
    new Date(
      parseSchedule(spec, { jobKey: '', changedAtMs: 0, calendars: holidays(content) }).next(
        Date.UTC(2026, 11, 24, 12),
      )!,
    ).toISOString();
  // half past midnight of the 25th in Tokyo is the 24th in Berlin
  expect(next({ dates: ['2026-12-25'] })).toBe('2026-12-25T15:30:00.000Z');
  expect(next({ dates: ['2026-12-25'], timezone: 'Europe/Berlin' })).toBe('2026-12-24T15:30:00.000Z');
});

it('asks for few times of a schedule to pass thousands of excluded ones', () => {
  const calendars = holidays({ dates: ['2199-12-30'] });
  const spec: CronSpec = { type: 'cron', expression: '* * * * * *', only: [{ calendar: 'x0' }] };
  const schedule = parseSchedule(spec, { jobKey: '', changedAtMs: 0, calendars });
  expect(new Date(schedule.next(START_MS)!).toISOString()).toBe('2199-12-30T00:00:00.000Z');
  const saturdays = holidays({ weekdays: ['SAT'], dates: [{ from: '2026-01-01', to: '2060-01-01' }] });
  const weekly: CronSpec = { type: 'cron', expression: '0 9 * * SUN', exclude: [{ calendar: 'x0' }] };
  const next = parseSchedule(weekly, { jobKey: '', changedAtMs: 0, calendars: saturdays }).next(START_MS)!;
  expect(new Date(next).toISOString()).toBe('2060-01-04T09:00:00.000Z');
});

/** Days of three years, mostly alike: long rows of excluded times, with some that are left. */
const rows = fc.record({
  weekdays: fc.subarray([...WEEKDAYS], { minLength: 1, maxLength: 2 }),
  free: fc.uniqueArray(fc.integer({ min: 0, max: 140 }), { maxLength: 4 }),
  zones: fc.constantFrom(
    ['Europe/Berlin', undefined],
    ['America/Sao_Paulo', 'America/Sao_Paulo'],
    ['Asia/Beirut', undefined],
    ['Pacific/Apia', 'Europe/Berlin'],
    ['UTC', undefined],
  ),
  expression: fc.constantFrom('0 0', '30 0', '59 23', '30 2', '*/20 *', '0 9,17'),
  half: fc.boolean(),
  usesOnly: fc.boolean(),
  fromDay: fc.integer({ min: -2_000, max: 0 }),
});

it('passes many excluded times in a row as a walk passes them', () => {
  fc.assert(
    fc.property(rows, ({ weekdays, free, zones: [timezone, own], expression, half, usesOnly, fromDay }) => {
      const first = Math.floor(START_MS / DAY_MS) + fromDay;
      const days = Array.from({ length: 1_000 }, (_, index) => first + index).filter((one) =>
        weekdays.includes(WEEKDAYS[(one + 4) % 7]!),
      );
      const taken = days.slice(0, 100).filter((_, index) => !free.includes(index));
      const texts = taken.map((one) => new Date(one * DAY_MS).toISOString().slice(0, 10));
      const dates = half ? texts.map((one) => ({ from: `${one}T00:00`, to: `${one}T18:00` })) : texts;
      const last = [texts.at(-1)!];
      const content = { weekdays: [], dates: usesOnly ? last : dates, yearly: [] };
      const calendar = new Calendar(own === undefined ? content : { ...content, timezone: own });
      const named = [{ calendar: 'x0' }];
      const spec: CronSpec = {
        type: 'cron',
        expression: `${expression} * * ${weekdays.join()}`,
        timezone: timezone!,
        ...(usesOnly ? { only: named } : { exclude: named }),
      };
      const context = { jobKey: '', changedAtMs: 0, calendars: [{ id: 'x0', calendar }] };
      const { zone } = parseSchedule(spec, context).plan;
      const bare = parseSchedule({ ...spec, only: [], exclude: [] }, { jobKey: '', changedAtMs: 0 });
      const isLeftOut = (atMs: number) => calendar.in(zone).has(atMs / 1_000) !== usesOnly;
      const fromMs = (first - 2) * DAY_MS;
      let walked = bare.next(fromMs);
      while (walked !== undefined && isLeftOut(walked)) walked = bare.next(walked);
      expect(parseSchedule(spec, context).next(fromMs)).toBe(walked);
    }),
    { numRuns: IS_DEEP ? 500 : 3 },
  );
});

it('stops at a day that is excluded in part, after many excluded ones', () => {
  const first = Date.UTC(2026, 10, 21);
  const dates = Array.from({ length: 20 }, (_, week) => {
    const date = new Date(first + week * 7 * DAY_MS).toISOString().slice(0, 10);
    return week < 19 ? date : { from: `${date}T00:00`, to: `${date}T08:00` };
  });
  const spec: CronSpec = { type: 'cron', expression: '0 9 * * SAT', exclude: [{ calendar: 'x0' }] };
  const schedule = parseSchedule(spec, { jobKey: '', changedAtMs: 0, calendars: holidays({ dates }) });
  expect(schedule.next(first)).toBe(first + 19 * 7 * DAY_MS + 9 * HOUR_MS);
});

it('asks for few times of a schedule to pass 500 dates that are excluded one by one', () => {
  const first = Date.UTC(2026, 10, 21);
  const dates = Array.from({ length: 500 }, (_, week) =>
    new Date(first + week * 7 * DAY_MS).toISOString().slice(0, 10),
  );
  const allowed = new AllowedTimes({ exclude: holidays({ dates }), only: [] }, zoneOf('UTC'));
  const { plan } = parseSchedule({ type: 'cron', expression: '0 9 * * SAT' }, { jobKey: '', changedAtMs: 0 });
  let asked = 0;
  const counted = {
    ...plan.occurrences,
    next: (afterMs: number) => (asked++, plan.occurrences.next(afterMs)),
  };
  expect(allowedOnly(counted, allowed, plan.plannedDays).next(START_MS)).toBe(
    first + 500 * 7 * DAY_MS + 9 * HOUR_MS,
  );
  expect(asked).toBeLessThan(20);
});

it('ends where nothing can come', () => {
  const never: CronSpec = { type: 'cron', expression: '0 9 * * SAT', exclude: [{ calendar: 'x0' }] };
  const calendars = holidays({ weekdays: ['SAT'] });
  expect(parseSchedule(never, { jobKey: '', changedAtMs: 0, calendars }).next(START_MS)).toBeUndefined();
  const all = holidays({ weekdays: [...WEEKDAYS] });
  const move: CronSpec = { ...never, onExcluded: 'next-day' };
  expect(parseSchedule(move, { jobKey: '', changedAtMs: 0, calendars: all }).next(START_MS)).toBeUndefined();
});
