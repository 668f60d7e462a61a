import fc from 'fast-check';

import { Unmapped } from '../../../../cli/import/json';
import { scheduleOf } from '../../../../cli/import/kubernetes/schedule';
import { parseSchedule } from '../../../../lambdas/core/schedule/parse';
import { preview } from '../../../../lambdas/core/schedule/preview';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const translated = (text: string, timeZone?: string) =>
  scheduleOf(text, { timeZone, defaultZone: undefined }).schedule;

/** What a part of a field selects, and whether it leaves its field free. */
interface Part {
  text: string;
  has(value: number): boolean;
  isFree: boolean;
}

/** The parts of a field of the cron library of Kubernetes, made together with their meaning. */
function partOf(least: number, most: number): fc.Arbitrary<Part> {
  const value = fc.integer({ min: least, max: most });
  const step = fc.integer({ min: 1, max: most - least + 3 });
  const range = fc.tuple(value, value).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  return fc.oneof(
    fc.constantFrom('*', '?', '*/1').map((text) => ({ text, has: () => true, isFree: true })),
    value.map((one) => ({ text: `${one}`, has: (x: number) => x === one, isFree: false })),
    range.map(([from, to]) => ({
      text: `${from}-${to}`,
      has: (x: number) => x >= from && x <= to,
      isFree: false,
    })),
    // A step takes the star its freedom: both day fields then choose, and either is enough.
    fc.tuple(fc.constantFrom('*', '?'), step).map(([star, by]) => ({
      text: `${star}/${by}`,
      has: (x: number) => (x - least) % by === 0,
      isFree: by === 1,
    })),
    fc.tuple(range, step).map(([[from, to], by]) => ({
      text: `${from}-${to}/${by}`,
      has: (x: number) => x >= from && x <= to && (x - from) % by === 0,
      isFree: false,
    })),
    fc.tuple(value, step).map(([from, by]) => ({
      text: `${from}/${by}`,
      has: (x: number) => x >= from && (x - from) % by === 0,
      isFree: false,
    })),
  );
}

const fieldOf = (least: number, most: number): fc.Arbitrary<Part> =>
  fc.array(partOf(least, most), { minLength: 1, maxLength: 3 }).map((parts) => ({
    text: parts.map(({ text }) => text).join(','),
    has: (value: number) => parts.some(({ has }) => has(value)),
    isFree: parts.some(({ isFree }) => isFree),
  }));

const FIELDS = fc.tuple(
  fieldOf(0, 59),
  fieldOf(0, 23),
  fieldOf(1, 31),
  fc.oneof(
    { weight: 3, arbitrary: partOf(1, 12) },
    fc.constant({ text: '*', has: () => true, isFree: true }),
  ),
  fieldOf(0, 6),
);

/** Days around the clock changes of these zones, and others. */
const PERIODS = [
  ['America/New_York', '2026-03-07'],
  ['America/New_York', '2026-10-31'],
  ['Europe/Berlin', '2026-10-24'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['UTC', '2026-02-27'],
] as const;
const DAYS = 3;

const formats = new Map(
  PERIODS.map(([zone]) => [
    zone,
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    }),
  ]),
);

/** The wall times of each minute of a period. */
const walls = PERIODS.map(([zone, day]) => {
  const fromMs = Date.parse(`${day}T00:00Z`);
  return Array.from({ length: (DAYS * DAY_MS) / MINUTE_MS }, (_, index) => {
    const atMs = fromMs + index * MINUTE_MS;
    const parts = Object.fromEntries(
      formats
        .get(zone)!
        .formatToParts(atMs)
        .map(({ type, value }) => [type, Number(value)]),
    ) as Record<string, number>;
    const weekday = new Date(Date.UTC(parts.year!, parts.month! - 1, parts.day)).getUTCDay();
    return { atMs, parts, weekday };
  });
});

/** The library walks over the minutes of the wall clock: it skips none but those that do not exist. */
function firesAt(fields: readonly Part[], { parts, weekday }: (typeof walls)[0][0]): boolean {
  const [minute, hour, day, month, dayOfWeek] = fields as [Part, Part, Part, Part, Part];
  const [isDay, isWeekday] = [day.has(parts.day!), dayOfWeek.has(weekday)];
  return (
    minute.has(parts.minute!) &&
    hour.has(parts.hour!) &&
    month.has(parts.month!) &&
    (day.isFree || dayOfWeek.isFree ? isDay && isWeekday : isDay || isWeekday)
  );
}

/** The first times; more would only take longer. */
const MOST = 60;

test('a job fires at the times of its CronJob, over clock changes too', () => {
  let compared = 0;
  fc.assert(
    fc.property(FIELDS, fc.nat(PERIODS.length - 1), (fields, which) => {
      const [zone, day] = PERIODS[which]!;
      const expected = walls[which]!.filter((wall) => firesAt(fields, wall)).map(({ atMs }) => atMs);
      if (expected.length === 0) return;
      const text = fields.map((field) => field.text).join(' ');
      const endAt = new Date(walls[which]!.at(-1)!.atMs + MINUTE_MS).toISOString();
      const spec = { ...translated(text, zone), endAt } as unknown as ScheduleSpec;
      const schedule = parseSchedule(spec, { jobKey: 'alice/a', changedAtMs: 0 });
      const found = preview(schedule, Date.parse(`${day}T00:00Z`) - 1, MOST).map(({ atMs }) => atMs);
      expect({ text, at: found }).toEqual({ text, at: expected.slice(0, MOST) });
      compared += 1;
    }),
    { numRuns: 600 },
  );
  expect(compared).toBeGreaterThan(200);
});

test.each([
  ['0 3 */2 * MON', '0 3 1-31/2 * MON'],
  ['0 3 */2 * ?', '0 3 1-31/2 * *'],
  ['*/5 * * * *', '*/5 * * * *'],
  ['*/61 * * * *', '0 * * * *'],
  ['0 0 1,* * fri', '0 0 * * FRI'],
  ['@midnight', '@midnight'],
])('%s becomes %s', (given, expected) => {
  expect(translated(given)).toEqual({ type: 'cron', expression: expected });
});

test.each([
  ['@every 1h30m', '5400s'],
  ['@every 1.5h', '5400s'],
  ['@every 90s', '90s'],
  ['@every 1m30.7s', '90s'],
  ['@every 200ms', '1s'],
])('%s is an interval of %s', (given, every) => {
  expect(translated(given)).toEqual({ type: 'interval', every });
});

test('a zone before the expression is that of the schedule, as older versions took it', () => {
  const { schedule, notes } = scheduleOf('CRON_TZ=America/New_York 30 4 * * *', {
    timeZone: undefined,
    defaultZone: 'Europe/Berlin',
  });
  expect(schedule).toEqual({
    type: 'cron',
    expression: '30 4 * * *',
    timezone: 'America/New_York',
    dst: { gap: 'skip', overlap: 'both' },
  });
  expect(notes).toEqual([expect.stringContaining('TZ=America/New_York')]);
});

test('a CronJob without a zone is in that of the cluster, which a note names', () => {
  expect(scheduleOf('0 3 * * *', { timeZone: undefined, defaultZone: undefined }).notes).toEqual([
    expect.stringContaining('taken as UTC; see --timezone'),
  ]);
  expect(scheduleOf('0 3 * * *', { timeZone: undefined, defaultZone: 'Asia/Tokyo' })).toMatchObject({
    schedule: { timezone: 'Asia/Tokyo' },
    notes: [],
  });
});

test.each([
  ['0 0 * * 7', '"7" as day of the week, which Kubernetes does not take; its values are 0 to 6'],
  ['0 0 * * FRI-MON', '"FRI-MON"'],
  ['60 * * * *', '"60" as minute'],
  ['0 0 L * *', '"L" as day of the month'],
  ['0 0 * * MON#1', '"MON#1"'],
  ['*/0 * * * *', '"*/0"'],
  ['0 0 0 * * *', 'expected five fields'],
  ['@reboot', 'expected five fields'],
  ['@every 5', 'expected a duration'],
  ['${SCHEDULE}', 'is a template'],
])('%s is refused: %s', (text, reason) => {
  const read = () => translated(text);
  expect(read).toThrow(Unmapped);
  expect(read).toThrow(reason);
});

test('a zone in both places is refused, as Kubernetes refuses it', () => {
  expect(() => translated('TZ=Europe/Berlin 0 3 * * *', 'Europe/Berlin')).toThrow('beside spec.timeZone');
});
