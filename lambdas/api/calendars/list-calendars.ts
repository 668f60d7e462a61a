import type { CalendarPointer } from '../../core/domain/calendar';
import { ListCalendarsQuery } from '../../core/http/queries';
import { openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { calendarSummary } from './calendar-view';

/** 200 with a page of the project's calendars by id, without their content. */
export async function listCalendars(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { cursor, limit } = readQuery(request, ListCalendarsQuery);
  const after = await openCursor(cursor, request, deps.secret);
  const page = { limit: limit + 1, ...(after !== undefined && { after }) };
  const found = await deps.calendars.list(request.project, page);
  const items = found.slice(0, limit);
  const nextAfter = found.length > limit ? items.at(-1)?.calendarId : undefined;
  const show = { view: calendarSummary, positionOf: ({ calendarId }: CalendarPointer) => calendarId };
  return {
    status: 200,
    body: await pageView({ items, ...(nextAfter !== undefined && { nextAfter }) }, show, request, deps),
  };
}
