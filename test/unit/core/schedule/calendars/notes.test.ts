import { Calendar, type CalendarContent } from '../../../../../lambdas/core/schedule/calendar';
import { describe as inWords } from '../../../../../lambdas/core/schedule/describe';
import { parseSchedule } from '../../../../../lambdas/core/schedule/parse';
import { preview } from '../../../../../lambdas/core/schedule/preview';
import { ScheduleError } from '../../../../../lambdas/core/schedule/schedule-error';
import type { ScheduleSpec } from '../../../../../lambdas/core/schedule/spec';

const FROM_MS = Date.UTC(2026, 11, 24, 12);

const content = (given: Partial<CalendarContent>): CalendarContent => ({
  weekdays: [],
  dates: [],
  yearly: [],
  ...given,
});

const parsed = (spec: ScheduleSpec, given: Partial<CalendarContent>) =>
  parseSchedule(spec, {
    jobKey: '',
    changedAtMs: 0,
    calendars: [{ id: 'de-holidays', calendar: new Calendar(content(given)) }],
  });

const errorOf = (make: () => unknown): [path: string, message: string] => {
  try {
    make();
  } catch (error) {
    if (error instanceof ScheduleError) return [error.path, error.message];
    throw error;
  }
  throw new Error('nothing was thrown');
};

const christmas = content({
  dates: [{ from: '2026-12-25', to: '2026-12-26', note: 'Christmas' }],
  weekdays: ['SUN'],
});
const daily = {
  type: 'cron',
  expression: '0 9 * * *',
  timezone: 'Europe/Berlin',
  exclude: [{ calendar: 'de-holidays' }],
} as const;

it('says which calendar left out what', () => {
  const [first] = preview(parsed({ ...daily, exclude: [...daily.exclude] }, christmas), FROM_MS, 1);
  expect(first).toEqual({
    atMs: Date.UTC(2026, 11, 28, 8),
    local: '2026-12-28T09:00:00+01:00',
    note: '2026-12-25 09:00 is left out: de-holidays (Christmas), and 2 more through 2026-12-27 09:00; de-holidays knows nothing after 2026-12-26 but what recurs',
  });
});

it('says which calendar moved what', () => {
  const spec: ScheduleSpec = { ...daily, exclude: [...daily.exclude], onExcluded: 'next-day' };
  const times = preview(parsed(spec, christmas), FROM_MS, 2);
  expect(times[0]).toEqual({
    atMs: Date.UTC(2026, 11, 28, 8),
    local: '2026-12-28T09:00:00+01:00',
    note:
      'moved here from 2026-12-25 09:00: de-holidays (Christmas); ' +
      'moved here from 2026-12-26 09:00: de-holidays (Christmas); ' +
      'moved here from 2026-12-27 09:00: de-holidays (SUN); de-holidays knows nothing after 2026-12-26 but what recurs',
  });
  expect(times[1]!.note).toBeUndefined();
});

it('describes calendars in words', () => {
  expect(inWords({ ...daily, exclude: [...daily.exclude], onExcluded: 'previous-day' })).toBe(
    'At 09:00 (Europe/Berlin), except the calendar de-holidays, moved to the previous day that is not excluded',
  );
  expect(inWords({ type: 'interval', every: '1h', only: [{ calendar: 'trading' }] })).toBe(
    'Every hour, counted from when the schedule was set, only in the calendar trading',
  );
});

it.each([
  [{ type: 'cron', expression: '*/5 * * * *', onExcluded: 'next-day' }, 'this one keeps its spacing'],
  [{ type: 'cron', expression: '0,30 0-12 * * *', onExcluded: 'previous-day' }, 'this one has 26'],
  [{ type: 'interval', every: '1d', onExcluded: 'next-day' }, 'an interval has no days'],
] as const)('moves only few fixed times a day: %j', (spec, why) => {
  expect(errorOf(() => parsed(spec, {}))).toEqual([
    'onExcluded',
    `"${spec.onExcluded}" needs a cron expression of at most 24 fixed times a day: ${why}`,
  ]);
});

it('names a calendar that does not exist', () => {
  const spec: ScheduleSpec = {
    type: 'cron',
    expression: '0 9 * * *',
    exclude: ['2026-12-25', { calendar: 'none' }],
  };
  expect(errorOf(() => parsed(spec, {}))).toEqual([
    'exclude.1.calendar',
    '"none" is no calendar of this project',
  ]);
});

it.each([
  [{ dates: ['2026-02-30'] }, 'dates.0', '"2026-02-30T00:00:00" names a day that no calendar has'],
  [
    { dates: [{ from: '2026-12-24', to: '2026-12-23' }] },
    'dates.0.to',
    '"2026-12-23" must be later than from, "2026-12-24"',
  ],
  [
    { dates: [{ from: '2026-12-24T18:00', to: '2026-12-24' }] },
    'dates.0.to',
    '"2026-12-24" is not a date and time: write "2026-12-01T09:00:00Z", or "2026-12-01T09:00:00" for local time',
  ],
  [
    { dates: [{ from: '2026-12-24T18:00Z', to: '2026-12-25T18:00' }] },
    'dates.0.from',
    '"2026-12-24T18:00Z" has an offset; write local time, such as "2026-12-24T18:00"',
  ],
  [
    { yearly: ['13-01'] },
    'yearly.0',
    '"13-01" is not a date of a year: write "12-25", from "01-01" to "12-31"',
  ],
  [{ timezone: 'Mars/Base' }, 'timezone', expect.stringContaining('"Mars/Base"')],
])('names the field of a calendar that is wrong: %j', (given, path, message) => {
  expect(errorOf(() => new Calendar(content(given)))).toEqual([path, message]);
});

it('has the 29th of February in leap years alone', () => {
  const spec: ScheduleSpec = { type: 'cron', expression: '0 9 * * *', only: [{ calendar: 'de-holidays' }] };
  const next = parsed(spec, { yearly: ['02-29'] }).next(FROM_MS)!;
  expect(new Date(next).toISOString()).toBe('2028-02-29T09:00:00.000Z');
});
