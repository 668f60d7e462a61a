import { RRuleTemporal } from 'rrule-temporal';

import { occurrences, StepBudget } from '../../../../client/ics/occurrences';
import { recurrenceRule } from '../../../../client/ics/recurrence-rule';
import { DAY_MS, dayText } from '../../../../client/ics/values';
import { IS_DEEP } from '../../../support/deep';
import { FakeRandom } from '../../../support/fake-random';

const [SEEDS, RULES] = IS_DEEP ? [20, 500] : [1, 200];
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

const ruleOf = (value: string) => recurrenceRule({ line: 1, name: 'RRULE', params: new Map(), value });
const basic = (ms: number): string => dayText(ms).replaceAll('-', '');

/** The days of a rule, by the reader. */
function read(value: string, firstMs: number, fromMs: number, endMs: number): string[] {
  const rule = ruleOf(value);
  const all = [...occurrences(rule, { firstMs, fromMs, endMs }, new StepBudget(1_000_000))];
  return all.filter((atMs) => atMs >= fromMs).map(dayText);
}

/** The days of a rule, by a library that shares no code with the reader. */
function expected(value: string, firstMs: number, fromMs: number, endMs: number): string[] {
  const rule = new RRuleTemporal({
    rruleString: `DTSTART:${basic(firstMs)}T000000Z\nRRULE:${value}`,
    maxIterations: 100_000,
  });
  return rule.between(new Date(fromMs), new Date(endMs - 1), true).map((at) => at.toPlainDate().toString());
}

/** A rule that the reader takes, of all parts that name days. */
function randomRule(seed: FakeRandom): { value: string; firstMs: number } {
  const random = () => seed.fraction();
  const int = (min: number, max: number): number => seed.between(min, max);
  const pick = <T>(from: readonly T[]): T => from[int(0, from.length - 1)]!;
  const some = (one: () => number | string): string =>
    [...new Set(Array.from({ length: int(1, 3) }, one))].join();
  const signed = (max: number) => () => pick([1, -1]) * int(1, max);
  const frequency = pick(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
  const parts = new Map<string, string>([['FREQ', frequency]]);
  const kind = random();
  if (random() < 0.3)
    parts.set(
      'BYMONTH',
      some(() => int(1, 12)),
    );
  if (frequency === 'YEARLY' && kind < 0.2) parts.set('BYWEEKNO', some(signed(53)));
  else if (random() < 0.4) parts.set('INTERVAL', String(int(1, 5)));
  const byDays = kind >= 0.2 && kind < 0.6;
  if (byDays && frequency === 'YEARLY' && random() < 0.3) parts.set('BYYEARDAY', some(signed(366)));
  else if (byDays && frequency !== 'WEEKLY') parts.set('BYMONTHDAY', some(signed(31)));
  // the library takes BYDAY beside BYYEARDAY for more days, where RFC 5545 says that it limits them
  if (parts.has('BYWEEKNO') || (!parts.has('BYYEARDAY') && random() < 0.5)) {
    const takesNth = frequency === 'MONTHLY' || (frequency === 'YEARLY' && kind >= 0.6);
    const isNth = takesNth && random() < 0.5;
    parts.set(
      'BYDAY',
      some(() => (isNth ? String(signed(5)()) : '') + pick(WEEKDAYS)),
    );
  }
  const hasBy = [...parts.keys()].some((part) => part.startsWith('BY'));
  if (hasBy && !parts.has('BYWEEKNO') && random() < 0.3) parts.set('BYSETPOS', some(signed(4)));
  if (random() < 0.25) parts.set('WKST', pick(WEEKDAYS));
  // the library leaves out the days of DTSTART's year that are of the last week of the year before
  const firstMs = Date.UTC(int(2023, 2026), int(parts.has('BYWEEKNO') ? 1 : 0, 11), int(1, 31));
  const end = random();
  if (end < 0.25) parts.set('COUNT', String(int(1, 30)));
  else if (end < 0.4) parts.set('UNTIL', `${basic(firstMs + int(0, 1500) * DAY_MS)}T000000Z`);
  return { value: [...parts].map((part) => part.join('=')).join(';'), firstMs };
}

/** The reader compares UNTIL where it knows the zone. Here all days are of one. */
const untilOf = (value: string): string => {
  const [, until] = /UNTIL=(\d{8})/.exec(value) ?? [];
  return until === undefined ? '9999' : `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6)}`;
};

it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  `recurs as another library says, over ${RULES} random rules of seed %i`,
  (seed) => {
    const random = new FakeRandom(seed);
    const [fromMs, endMs] = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)];
    let days = 0;
    for (let index = 0; index < RULES; index++) {
      const { value, firstMs } = randomRule(random);
      const got = read(value, firstMs, fromMs, endMs).filter((day) => day <= untilOf(value));
      expect([basic(firstMs), value, got]).toEqual([
        basic(firstMs),
        value,
        expected(value, firstMs, fromMs, endMs),
      ]);
      days += got.length;
    }
    expect(days).toBeGreaterThan(RULES * 10);
  },
);

const first = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day);

it.each<[rule: string, firstMs: number, days: string]>([
  [
    'FREQ=MONTHLY',
    first(2026, 1, 31),
    '2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31 2026-10-31 2026-12-31',
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3', first(2026, 1, 31), '2026-01-31 2026-02-28 2026-03-31'],
  ['FREQ=YEARLY;BYYEARDAY=-1,60', first(2024, 12, 31), '2026-03-01 2026-12-31'],
  ['FREQ=YEARLY;BYYEARDAY=100,101,102;BYDAY=SA,SU', first(2024, 1, 1), '2026-04-11 2026-04-12'],
  ['FREQ=DAILY;BYDAY=SA,SU;COUNT=3', first(2026, 1, 1), '2026-01-03 2026-01-04 2026-01-10'],
  [
    'FREQ=DAILY;BYMONTH=1,7;BYMONTHDAY=1,15',
    first(2026, 1, 1),
    '2026-01-01 2026-01-15 2026-07-01 2026-07-15',
  ],
  ['FREQ=YEARLY', first(2024, 2, 29), ''],
  ['FREQ=YEARLY;BYDAY=-1FR,1MO', first(2024, 1, 1), '2026-01-05 2026-12-25'],
  ['FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO,WE;BYSETPOS=-1,1', first(2020, 5, 1), '2026-05-06 2026-05-27'],
  // a Friday of week 53 of 2026 is in 2027
  ['FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH,FR', first(2020, 12, 31), '2026-12-31'],
  ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,FR', first(2020, 1, 3), '2026-01-02'],
  // the weeks of RFC 5545 that differ by WKST
  [
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    first(2026, 8, 4),
    '2026-08-04 2026-08-09 2026-08-18 2026-08-23',
  ],
  [
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
    first(2026, 8, 4),
    '2026-08-04 2026-08-16 2026-08-18 2026-08-30',
  ],
])('%s', (rule, firstMs, days) => {
  const found = read(rule, firstMs, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1));
  expect(found.join(' ')).toBe(days);
});

it('takes several times a day, and picks among them', () => {
  const firstMs = Date.UTC(2026, 0, 1, 9);
  const times = (rule: string) =>
    [
      ...occurrences(
        ruleOf(rule),
        { firstMs, fromMs: firstMs, endMs: Date.UTC(2026, 0, 3) },
        new StepBudget(1e4),
      ),
    ].map((atMs) => new Date(atMs).toISOString().slice(0, 16));
  expect(times('FREQ=DAILY;BYHOUR=17,9;BYMINUTE=0,30;COUNT=3')).toEqual([
    '2026-01-01T09:00',
    '2026-01-01T09:30',
    '2026-01-01T17:00',
  ]);
  expect(times('FREQ=DAILY;BYHOUR=9,12,17;BYSETPOS=-1')).toEqual(['2026-01-01T17:00', '2026-01-02T17:00']);
});

it.each([
  ['FREQ=FORTNIGHTLY', 'FREQ=FORTNIGHTLY; expected DAILY, WEEKLY, MONTHLY, YEARLY'],
  ['FREQ=SECONDLY', 'a calendar takes rules of days'],
  ['FREQ=HOURLY;BYHOUR=9', 'a calendar takes rules of days'],
  ['INTERVAL=2', 'FREQ=; expected'],
  ['FREQ=DAILY;UNTL=20270101', '"UNTL=20270101", which is not understood'],
  ['RRULE:FREQ=DAILY', '"RRULE:FREQ=DAILY", which is not understood'],
  ['FREQ=YEARLY;RSCALE=GREGORIAN', 'RSCALE'],
  ['FREQ=YEARLY;SKIP=FORWARD', 'SKIP'],
  ['FREQ=DAILY;FREQ=WEEKLY', 'two parts FREQ'],
  ['FREQ=DAILY;INTERVAL=0', 'INTERVAL=0; expected 1 to 9999'],
  ['FREQ=DAILY;INTERVAL=-1', 'INTERVAL=-1'],
  ['FREQ=DAILY;COUNT=0', 'COUNT=0'],
  ['FREQ=DAILY;COUNT=2;UNTIL=20270101', 'COUNT with UNTIL'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY=0; expected 1 to 31, or -31 to -1'],
  ['FREQ=MONTHLY;BYMONTHDAY=1.5', 'BYMONTHDAY=1.5'],
  ['FREQ=MONTHLY;BYDAY=0MO', 'BYDAY=0MO'],
  ['FREQ=MONTHLY;BYDAY=XX', 'BYDAY=XX'],
  ['FREQ=WEEKLY;BYDAY=2MO', 'a number in BYDAY with FREQ=WEEKLY'],
  ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY with FREQ=WEEKLY'],
  ['FREQ=MONTHLY;BYYEARDAY=1', 'BYYEARDAY with FREQ=MONTHLY'],
  ['FREQ=YEARLY;BYWEEKNO=1', 'BYWEEKNO without BYDAY'],
  ['FREQ=MONTHLY;BYSETPOS=1', 'BYSETPOS alone'],
])('refuses %s', (rule, message) => {
  expect(() => ruleOf(rule)).toThrow(message);
});

it('stops at its budget, at the line of the rule', () => {
  const all = occurrences(
    ruleOf('FREQ=DAILY;COUNT=99999'),
    { firstMs: Date.UTC(1601, 0, 1), fromMs: 0, endMs: Date.UTC(2029, 0, 1) },
    new StepBudget(10_000),
  );
  expect(() => [...all]).toThrow('line 1: takes too many steps');
});
