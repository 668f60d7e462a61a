import type { CalendarDefinition } from '../../client/browser';

/** A calendar while it is edited: dates are lines of text. */
export interface CalendarDraft {
  name: string;
  timezone: string;
  weekdays: readonly Weekday[];
  /** One a line: `2026-12-25`, or `2026-12-24T18:00/2026-12-27T06:00 freeze`. */
  dates: string;
  /** `01-01 12-25` */
  yearly: string;
}

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
type CalendarDate = NonNullable<CalendarDefinition['dates']>[number];

export const NEW_CALENDAR: CalendarDraft = { name: '', timezone: '', weekdays: [], dates: '', yearly: '' };

export const calendarDraftOf = ({
  name = '',
  timezone = '',
  weekdays = [],
  dates = [],
  yearly = [],
}: CalendarDefinition): CalendarDraft => ({
  name,
  timezone,
  weekdays,
  dates: dates.map(lineOf).join('\n'),
  yearly: yearly.join(' '),
});

function lineOf(date: CalendarDate): string {
  if (typeof date === 'string') return date;
  const { from, to, note } = date;
  return [`${from}/${to}`, note].filter(Boolean).join(' ');
}

/** The body of a PUT. What a line says is not checked here: the API names the one that is wrong. */
export const calendarOf = ({
  name,
  timezone,
  weekdays,
  dates,
  yearly,
}: CalendarDraft): CalendarDefinition => ({
  ...(name.trim() && { name: name.trim() }),
  ...(timezone.trim() && { timezone: timezone.trim() }),
  weekdays: WEEKDAYS.filter((day) => weekdays.includes(day)),
  dates: dates
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(dateOf),
  yearly: yearly.split(/[\s,]+/).filter((one) => one !== ''),
});

function dateOf(line: string): CalendarDate {
  const [, from, to, note] = /^(\S+?)\/(\S+)(?:\s+(.+))?$/.exec(line) ?? [];
  if (from === undefined || to === undefined) {
    const [, day, words] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    return day === undefined || words === undefined ? line : { from: day, to: day, note: words };
  }
  return { from, to, ...(note !== undefined && { note }) };
}
