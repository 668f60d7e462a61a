import type { CalendarDefinition } from '../../client/browser';
import { datesOf } from '../time/months';

/** What a calendar says of one date. */
export interface CalendarDay {
  date: string;
  /** `all`: the whole day. `part`: some hours of it. */
  has: 'all' | 'part' | undefined;
  /** The notes of its ranges. */
  notes: readonly string[];
}

const NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The dates of a month such as `2026-12`. */
export const calendarDays = (calendar: CalendarDefinition, month: string): CalendarDay[] =>
  datesOf(month).map((date) => dayOf(calendar, date));

function dayOf({ weekdays = [], dates = [], yearly = [] }: CalendarDefinition, date: string): CalendarDay {
  const weekday = NAMES[new Date(`${date}T00:00Z`).getUTCDay()]!;
  let has: CalendarDay['has'] =
    weekdays.includes(weekday) || yearly.includes(date.slice(5)) ? 'all' : undefined;
  const notes: string[] = [];
  for (const one of dates) {
    const range = typeof one === 'string' ? { from: one, to: one } : one;
    const covered = coverOf(range, date);
    if (covered === undefined) continue;
    has = has === 'all' || covered === 'all' ? 'all' : 'part';
    if (range.note !== undefined) notes.push(range.note);
  }
  return { date, has, notes };
}

/** Days include the last one; local times end before it. */
function coverOf(
  { from, to }: { from: string; to: string; note?: string },
  date: string,
): CalendarDay['has'] {
  if (DAY.test(from) && DAY.test(to)) return from <= date && date <= to ? 'all' : undefined;
  const [start, end] = [`${date}T00:00`, `${date}T24:00`];
  if (to <= start || from >= end) return undefined;
  // 24:00 of a day is 00:00 of the next one, which sorts after it.
  return from <= start && to.slice(0, 16) >= end ? 'all' : 'part';
}
