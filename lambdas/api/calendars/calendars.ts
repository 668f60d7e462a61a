import { instantText } from '../../core/clock/clock';
import type { CalendarPointer } from '../../core/domain/calendar';
import { JOB_ID } from '../../core/http/fields';
import type { CalendarSummaryView, CalendarView } from '../../core/http/openapi/calendar';
import { ListCalendarsQuery } from '../../core/http/queries';
import type { Calendar } from '../../core/schedule/calendar';
import { audited } from '../audit/audited';
import { openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import { conflict, notFound } from '../http/problem';
import { usersOf } from '../jobs/users-of';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

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

/** 200 with a calendar. */
export const getCalendar = async (request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> => ({
  status: 200,
  body: await calendarView(await requestedCalendar(request, deps), deps),
});

const NAMED_USERS = 10;

/**
 * 204. Throws `ProblemError` 409 that names the first jobs that use the calendar. A job that is saved at the
 * same time keeps the version that it has read: the auditor lets it live on.
 *
 * Order of writes: rows that name its versions → the pointer. By these rows, the auditor lets versions expire
 * that the pointer names no more.
 */
export async function deleteCalendar(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const calendar = await requestedCalendar(request, deps);
  const change = { what: 'calendar.deleted', resource: calendar.calendarId } as const;
  await audited(request, change, () => removeUnused(calendar, deps), deps);
  return { status: 204 };
}

async function removeUnused(calendar: CalendarPointer, deps: ApiDeps): Promise<void> {
  const { userId, calendarId } = calendar;
  const users = await usersOf(userId, { kind: 'calendar', name: calendarId }, NAMED_USERS + 1, deps);
  if (users.length > 0) {
    const named = users.slice(0, NAMED_USERS).map((jobId) => JSON.stringify(jobId));
    const more = users.length > NAMED_USERS ? ' and more' : '';
    throw conflict(
      `jobs use the calendar ${JSON.stringify(calendarId)}: ${named.join(', ')}${more}; change them first`,
    );
  }
  const versions = [calendar.version, calendar.changing?.from].filter((one) => one !== undefined);
  const row = { userId, jobId: calendarId, kind: 'calendar-version', atMs: deps.clock.nowMs() } as const;
  await deps.uses.put(versions.map((name) => ({ ...row, name })));
  if ((await deps.calendars.remove(calendar, calendar.etag)) === 'changed')
    throw conflict('another request has changed the calendar; repeat the request');
}

/** The calendar that the path names. Throws `ProblemError` 404. */
async function requestedCalendar(
  { params, project }: ApiRequest,
  { calendars }: ApiDeps,
): Promise<CalendarPointer> {
  const { calendarId = '' } = params;
  const pointer = JOB_ID.test(calendarId) ? await calendars.get({ userId: project, calendarId }) : undefined;
  if (!pointer) throw notFound('calendar');
  return pointer;
}

export const calendarSummary = (
  { calendarId, name, updatedAtMs, by, changing }: CalendarPointer,
  { knownUntil }: Pick<Calendar, 'knownUntil'>,
): CalendarSummaryView => ({
  calendarId,
  ...(name !== undefined && { name }),
  updatedAt: instantText(updatedAtMs),
  by,
  changing: changing !== undefined,
  ...(knownUntil !== undefined && { knownUntil }),
});

export const contentView = ({ content: { timezone, weekdays, dates, yearly } }: Calendar) => ({
  ...(timezone !== undefined && { timezone }),
  weekdays: [...weekdays],
  dates: [...dates],
  yearly: [...yearly],
});

const MAX_USERS = 100;

/** A calendar with its content, and the jobs that use it. */
async function calendarView(pointer: CalendarPointer, { calendars, uses }: ApiDeps): Promise<CalendarView> {
  const { userId, calendarId, version } = pointer;
  const [calendar, users] = await Promise.all([
    calendars.calendarOf(pointer, version),
    uses.list(userId, 'calendar', calendarId, { limit: MAX_USERS + 1 }),
  ]);
  return {
    ...calendarSummary(pointer, calendar),
    ...contentView(calendar),
    users: users.slice(0, MAX_USERS).map(({ jobId }) => jobId),
    hasMoreUsers: users.length > MAX_USERS,
  };
}
