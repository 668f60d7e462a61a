import type { CalendarChange, CalendarDefinition } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { plural } from '../../time/format';

/** Saves a calendar, and says what became of the jobs that use it. */
export async function saveCalendar(
  calendarId: string,
  definition: CalendarDefinition,
): Promise<{ change: CalendarChange; words: string }> {
  const change = await call((api) => api.calendars.put(calendarId, definition));
  await Promise.all([refresh('calendars'), refresh('calendar')]);
  const later =
    change.remaining > 0 ? `, ${plural(change.remaining, 'more follows', 'more follow')} soon` : '';
  return { change, words: `${calendarId} is saved. ${plural(change.replanned, 'job')} replanned${later}.` };
}
