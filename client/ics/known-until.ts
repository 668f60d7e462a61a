import type { CalendarDefinition } from '../types';

/** The last day that a calendar names. Undefined: it names none, or each year and week says all it knows. */
export function knownUntil({ dates = [] }: Pick<CalendarDefinition, 'dates'>): string | undefined {
  return dates
    .map((date) => (typeof date === 'string' ? date : date.to).slice(0, 10))
    .sort()
    .at(-1);
}
