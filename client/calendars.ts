import { bodyOf, type Connection, REPEATABLE_HEADERS, deleted } from './connection';
import { Listing } from './listing';
import type { CallOptions } from './options';
import type { Calendar, CalendarChange, CalendarDefinition, CalendarSummary } from './types';

/** Days and times that the schedules of a project exclude, or keep to. */
export class Calendars {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /**
   * Creates a calendar, or replaces its content. A change holds at once, and replans the jobs that use the
   * calendar: 200 a second, and what `remaining` counts within minutes.
   */
  put(
    calendarId: string,
    calendar: CalendarDefinition,
    { signal }: CallOptions = {},
  ): Promise<CalendarChange> {
    const params = { path: { calendarId } };
    const call = this.api.PUT('/v1/calendars/{calendarId}', {
      params,
      body: calendar,
      headers: REPEATABLE_HEADERS,
      signal,
    });
    return bodyOf(call, { calendarId: 'text' });
  }

  /** All calendars by id, without their content. */
  list(filter: { limit?: number } = {}, { signal }: CallOptions = {}): Listing<CalendarSummary> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/calendars', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['calendarId'] },
      ),
    );
  }

  get(calendarId: string, { signal }: CallOptions = {}): Promise<Calendar> {
    const params = { path: { calendarId } };
    const call = this.api.GET('/v1/calendars/{calendarId}', { params, headers: REPEATABLE_HEADERS, signal });
    return bodyOf(call, { calendarId: 'text' });
  }

  /** Rejects with a conflict if a job uses the calendar. */
  async remove(calendarId: string, { signal }: CallOptions = {}): Promise<void> {
    const call = this.api.DELETE('/v1/calendars/{calendarId}', {
      params: { path: { calendarId } },
      headers: REPEATABLE_HEADERS,
      signal,
    });
    await deleted(call);
  }
}
