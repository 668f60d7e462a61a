import { readIcs } from '../../../../client/ics/read-ics';
import { Calendar, type CalendarContent } from '../../../../lambdas/core/schedule/calendar';

const NOW_MS = Date.UTC(2026, 10, 28);

export const read = (text: string, given: { timezone?: string; years?: number } = {}) =>
  readIcs(text, 'file.ics', { nowMs: NOW_MS, years: 2, ...given });

/** A file of one event, which begins on line 2. */
export const event = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n');
/** A file of several events. */
export const events = (...all: string[][]): string =>
  [
    'BEGIN:VCALENDAR',
    ...all.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n');

/** The dates of a calendar, each as one text, and what the API makes of them. */
export function datesIn(text: string, given: { timezone?: string; years?: number } = {}): string[] {
  const { calendar } = read(text, given);
  const { name: _, ...content } = calendar;
  void new Calendar({ weekdays: [], ...content } as CalendarContent);
  return [
    ...(calendar.dates ?? []).map((date) =>
      typeof date === 'string' ? date : date.from === date.to ? date.from : `${date.from}/${date.to}`,
    ),
    ...(calendar.yearly ?? []),
  ];
}
