import { toString as cronstrueWords } from 'cronstrue';
import fc from 'fast-check';

import { CronCalendar } from '../../../../lambdas/core/schedule/cron-calendar';
import {
  type CronExpression,
  parseAwsCronExpression,
  parseCronExpression,
} from '../../../../lambdas/core/schedule/cron-expression';
import { cronWords } from '../../../../lambdas/core/schedule/cron-words';
import { describe as describeSchedule } from '../../../../lambdas/core/schedule/describe';
import { IS_DEEP } from '../../../support/deep';
import { claimOf, daysOfYear } from '../../../support/words-claim';

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const expected = (expression: string, firstWeekday: 0 | 1): string =>
  cronstrueWords(expression, { use24HourTimeFormat: true, dayOfWeekStartIndexZero: firstWeekday === 0 });

/** A field: all, one value, a range, a step of each, or a list. */
function field(min: number, max: number, { names = [] as string[], more = [] as string[] } = {}) {
  const number = fc.integer({ min, max }).map(String);
  const value = names.length > 0 ? fc.oneof(number, fc.constantFrom(...names)) : number;
  const step = fc.integer({ min: 1, max: max - min }).map(String);
  const range = fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const item = fc.oneof(
    value,
    range,
    ...(names.length > 0
      ? [
          fc
            .tuple(fc.nat(names.length - 1), fc.nat(names.length - 1))
            .map(([a, b]) => `${names[Math.min(a, b)]}-${names[Math.max(a, b)]}`),
        ]
      : []),
    fc
      .tuple(fc.oneof(number, range, fc.constantFrom(`${min}`, `${min}-${max}`)), step)
      .map(([base, by]) => `${base}/${by}`),
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    { weight: 2, arbitrary: value },
    item,
    step.map((by) => `*/${by}`),
    fc.array(item, { minLength: 2, maxLength: 4 }).map((items) => items.join(',')),
    ...(more.length > 0 ? [fc.constantFrom(...more)] : []),
  );
}

const second = field(0, 59);
const minute = field(0, 59);
const hour = field(0, 23);
const monthDay = field(1, 31, { more: ['L', 'LW', 'L-1', 'L-3', '1W', '15W', '?', '15,L'] });
const month = field(1, 12, { names: MONTHS });
const weekday = field(0, 7, {
  names: WEEKDAYS,
  more: ['5L', 'FRIL', 'MON#1', '2#5', '5L,6L', 'MON#1,WED#3', '1,5L', '?', 'MON-FRI'],
});
const awsWeekday = field(1, 7, { names: WEEKDAYS, more: ['L', '6L', '2#1', '?', 'MON-FRI'] });
const year = field(2026, 2199);

/** Wall times as the engine has them. */
function isDue(calendar: CronCalendar, date: Date, { hour = 0, minute = 0, second = 0 }): boolean {
  return calendar.matches(date.getTime() / 1000 + hour * 3_600 + minute * 60 + second);
}

/** What the words of an expression say of a year, and what the engine does in it. */
function compareYear(words: string, cron: CronExpression, year: number): void {
  const claim = claimOf(words);
  if (claim === undefined) return;
  const calendar = new CronCalendar(cron);
  const [hour, minute, second] = [cron.hours.first, cron.minutes.first, cron.seconds.first];
  const days = daysOfYear(year);
  const due = days.filter((date) => isDue(calendar, date, { hour, minute, second }));
  expect(days.filter((date) => claim.isDay(date))).toEqual(due);
  if (due.length === 0) return;
  const valuesBelow = (count: number, at: (value: number) => object) =>
    Array.from({ length: count }, (_, value) => value).filter((value) => isDue(calendar, due[0]!, at(value)));
  const sorted = (values: ReadonlySet<number>) => [...values].sort((a, b) => a - b);
  expect(sorted(claim.hours)).toEqual(valuesBelow(24, (value) => ({ hour: value, minute, second })));
  expect(sorted(claim.minutes)).toEqual(valuesBelow(60, (value) => ({ hour, minute: value, second })));
  expect(sorted(claim.seconds)).toEqual(valuesBelow(60, (value) => ({ hour, minute, second: value })));
}

const RUNS = IS_DEEP ? 10_000 : 400;
const standard = fc.oneof(
  fc.tuple(minute, hour, monthDay, month, weekday),
  fc.tuple(second, minute, hour, monthDay, month, weekday),
  fc.tuple(second, minute, hour, monthDay, month, weekday, year),
);
/** One field or two are restricted, as in most expressions. */
const sparse = fc
  .tuple(standard, fc.array(fc.nat(6), { minLength: 1, maxLength: 2 }))
  .map(([fields, kept]) => fields.map((text, index) => (kept.includes(index) ? text : '*')));

test('the words say the times of each expression', () => {
  fc.assert(
    fc.property(fc.oneof(standard, sparse), fc.constantFrom(2028, 2030), (fields, inYear) => {
      const expression = fields.join(' ');
      compareYear(describeSchedule({ type: 'cron', expression }), parseCronExpression(expression), inYear);
    }),
    { numRuns: RUNS },
  );
});

test('in AWS, weekdays are counted from 1', () => {
  const unnamed = monthDay.filter((text) => text !== '?');
  const named = awsWeekday.filter((text) => text !== '?');
  const days = fc.oneof(fc.tuple(unnamed, fc.constant('?')), fc.tuple(fc.constant('?'), named));
  fc.assert(
    fc.property(minute, hour, days, month, year, (...[min, h, [day, week], mon, years]) => {
      const text = [min, h, day, mon, week, years].join(' ');
      compareYear(describeSchedule(`cron(${text})`), parseAwsCronExpression(text), 2028);
    }),
    { numRuns: RUNS / 4 },
  );
});

test('the plainest words are those of cronstrue', () => {
  const plain = (min: number, max: number) =>
    fc.oneof(fc.constant('*'), fc.integer({ min, max }).map(String));
  fc.assert(
    fc.property(
      fc.oneof(plain(0, 59), fc.constantFrom('*/5', '*/15')),
      fc.oneof(plain(0, 23), fc.constantFrom('9-17', '*/6')),
      fc.oneof(plain(1, 31), fc.constantFrom('L', 'LW', 'L-3', '15W', '10-20')),
      fc.oneof(plain(1, 12), fc.constantFrom(...MONTHS)),
      fc.oneof(fc.constant('*'), fc.constantFrom('MON-FRI', 'FRI', '1', 'MON#1', '5L')),
      (...fields) => {
        // Where either day is enough, the words differ.
        if (fields[2] !== '*' && fields[4] !== '*') fields[4] = '*';
        const text = fields.join(' ');
        expect(cronWords(text, 0)).toBe(expected(text, 0));
      },
    ),
    { numRuns: RUNS },
  );
});

test.each([
  ['30 9 * * mon-fri', 'At 09:30, Monday through Friday'],
  ['0 0 l * *', 'At 00:00, on the last day of the month'],
  ['*/15 *,5 * * *', 'Every 15 minutes'],
  ['0 0 1 * *,5', 'At 00:00, on day 1 of the month'],
  ['0 0 * * 7/1', 'At 00:00, only on Sunday'],
  ['0 0 * * 1/2', 'At 00:00, only on Sunday, Monday, Wednesday, and Friday'],
  ['0 0 1/1 * 1', 'At 00:00'],
  ['0 0 13 * 0-6', 'At 00:00'],
  ['0 0 */2 * 1', 'At 00:00, every 2 days in a month, only on Monday'],
  ['0-58/2,59 * * * *', 'At the times of "0-58/2,59 * * * *"'],
])('%s: %s', (text, words) => {
  expect(cronWords(text, 0)).toBe(words);
});
