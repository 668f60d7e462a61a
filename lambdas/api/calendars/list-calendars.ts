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
  const items = await Promise.all(
    found.slice(0, limit).map(async (pointer) => ({
      pointer,
      // a process reads it once: a version never changes
      calendar: await deps.calendars.calendarOf(pointer, pointer.version),
    })),
  );
  const nextAfter = found.length > limit ? items.at(-1)?.pointer.calendarId : undefined;
  const show = {
    view: ({ pointer, calendar }: (typeof items)[0]) => calendarSummary(pointer, calendar),
    positionOf: ({ pointer }: (typeof items)[0]) => pointer.calendarId,
  };
  return {
    status: 200,
    body: await pageView({ items, ...(nextAfter !== undefined && { nextAfter }) }, show, request, deps),
  };
}
