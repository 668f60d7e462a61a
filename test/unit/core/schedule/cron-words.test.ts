import { toString as cronstrueWords } from 'cronstrue';
import fc from 'fast-check';

import { cronWords } from '../../../../lambdas/core/schedule/cron-words';
import { IS_DEEP } from '../../../support/deep';

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
    fc.tuple(fc.oneof(number, range), step).map(([base, by]) => `${base}/${by}`),
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

const RUNS = IS_DEEP ? 100_000 : 4_000;

test('the words are those of cronstrue', () => {
  const expression = fc.oneof(
    fc.tuple(minute, hour, monthDay, month, weekday),
    fc.tuple(second, minute, hour, monthDay, month, weekday),
    fc.tuple(second, minute, hour, monthDay, month, weekday, year),
  );
  fc.assert(
    fc.property(expression, (fields) => {
      const text = fields.join(' ');
      expect(cronWords(text, 0)).toBe(expected(text, 0));
    }),
    { numRuns: RUNS },
  );
});

test('in AWS, weekdays are counted from 1', () => {
  fc.assert(
    fc.property(minute, hour, monthDay, month, awsWeekday, year, (...fields) => {
      const text = `0 ${fields.join(' ')}`;
      expect(cronWords(text, 1)).toBe(expected(text, 1));
    }),
    { numRuns: RUNS / 4 },
  );
});

test.each([
  ['30 9 * * mon-fri', 'At 09:30, Monday through Friday'],
  ['0 0 l * *', 'At 00:00, on the last day of the month'],
  ['*/15 *,5 * * *', 'Every 15 minutes'],
  ['0 0 1 * *,5', 'At 00:00, on day 1 of the month'],
])('%s: %s', (text, words) => {
  expect(cronWords(text, 0)).toBe(words);
});
