import { type Calendar, type CalendarSummary, NotFoundError } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** A project has at most so many. */
const MOST = 200;

export const useCalendars = (): Polled<CalendarSummary[]> =>
  usePolled({
    key: ['calendars', project.value],
    load: (signal) => call((api) => api.calendars.list({ limit: 100 }, { signal }).toArray(MOST)),
    every: (calendars) => (calendars?.some(({ changing }) => changing) ? 10_000 : 60_000),
  });

/** A calendar with its content and the jobs that use it; null if there is none. */
export const useCalendar = (calendarId: string): Polled<Calendar | null> =>
  usePolled({
    key: ['calendar', project.value, calendarId],
    load: (signal) =>
      call((api) => api.calendars.get(calendarId, { signal })).catch((thrown: unknown) => {
        if (thrown instanceof NotFoundError) return null;
        throw thrown;
      }),
    every: (calendar) => (calendar?.changing ? 10_000 : 60_000),
  });
