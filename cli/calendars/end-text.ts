import type { CalendarDefinition } from '../../client';
import { plain } from '../terminal/table';

/** `knows nothing after 2026-12-26`: what follows the last date of a calendar. Undefined: it has no dates. */
export function endText({ weekdays = [], dates = [], yearly = [] }: CalendarDefinition): string | undefined {
  const last = dates
    .map((date) => (typeof date === 'string' ? date : date.to).slice(0, 10))
    .sort()
    .at(-1);
  if (last === undefined) return undefined;
  return `knows nothing after ${plain(last)}${weekdays.length + yearly.length > 0 ? ' but what recurs' : ''}`;
}
