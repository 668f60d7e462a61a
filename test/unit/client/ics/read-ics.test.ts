import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readIcs } from '../../../../client/ics/read-ics';
import { Calendar, type CalendarContent } from '../../../../lambdas/core/schedule/calendar';

const FIXTURES = join(__dirname, '../../../fixtures/calendars');
const NOW_MS = Date.UTC(2026, 10, 1);

const read = (file: string, given: { timezone?: string; years?: number } = {}) =>
  readIcs(readFileSync(join(FIXTURES, file), 'utf8'), file, { nowMs: NOW_MS, years: 2, ...given });

const single = (day: string, note: string) => ({ from: day, to: day, note });

it('reads the holidays that Google publishes', () => {
  const { calendar, past } = read('google.ics', { timezone: 'Europe/Berlin' });
  expect(calendar).toEqual({
    name: 'Feiertage in Deutschland',
    timezone: 'Europe/Berlin',
    dates: [single('2026-12-25', 'Erster Weihnachtstag'), single('2027-03-26', 'Karfreitag')],
    yearly: [],
  });
  expect(past).toBe(1);
});

it('reads a calendar as Apple exports it: recurring events, exceptions, moved ones, local times and UTC', () => {
  const { calendar } = read('apple.ics');
  expect(calendar).toEqual({
    name: 'Company closures, EU',
    timezone: 'Europe/Berlin',
    dates: [
      { from: '2026-09-27T22:00:00', to: '2026-09-28T02:00:00', note: 'Maintenance' },
      { from: '2026-10-25T22:00:00', to: '2026-10-26T02:00:00', note: 'Maintenance' },
      single('2026-11-26', 'Thanksgiving'),
      { from: '2026-12-02T00:00:00', to: '2026-12-02T02:00:00', note: 'In UTC' },
      {
        from: '2026-12-24T18:00:00',
        to: '2026-12-27T06:00:00',
        note: 'Year-end freeze of all systems that customers see, and of those that they do not',
      },
      { from: '2026-12-28T22:00:00', to: '2026-12-29T02:00:00', note: 'Maintenance (moved)' },
      single('2027-11-25', 'Thanksgiving'),
    ],
    yearly: ['01-01'],
  });
});

it('reads what Nager.Date publishes: days whose end is their start, or is missing', () => {
  const { calendar } = read('nager.ics');
  expect(calendar).toEqual({
    dates: [
      single('2026-11-26', 'Thanksgiving Day'),
      single('2026-12-25', 'Christmas Day'),
      single('2027-01-01', "New Year's Day"),
    ],
    yearly: [],
  });
});

it.each(['google.ics', 'apple.ics', 'nager.ics'])('makes a calendar that the API takes: %s', (file) => {
  const { name: _, ...calendar } = read(file).calendar;
  expect(() => new Calendar({ weekdays: [], ...calendar } as CalendarContent)).not.toThrow();
});

it('names the file that is no calendar', () => {
  const options = { nowMs: NOW_MS, years: 1 };
  expect(() => readIcs('<html>', 'page.html', options)).toThrow('page.html: is no iCalendar file');
});
