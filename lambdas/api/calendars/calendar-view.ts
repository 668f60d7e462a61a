import { instantText } from '../../core/clock/clock';
import type { CalendarPointer } from '../../core/domain/calendar';
import { JOB_ID } from '../../core/http/fields';
import type { CalendarChangeView, CalendarSummaryView, CalendarView } from '../../core/http/openapi/calendar';
import type { CalendarReplan } from '../../core/job-writes/replan-calendar';
import type { Calendar } from '../../core/schedule/calendar';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest } from '../request';

const MAX_USERS = 100;

/** The calendar that the path names. Throws `ProblemError` 404. */
export async function requestedCalendar(
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

const contentView = ({ content: { timezone, weekdays, dates, yearly } }: Calendar) => ({
  ...(timezone !== undefined && { timezone }),
  weekdays: [...weekdays],
  dates: [...dates],
  yearly: [...yearly],
});

/** A calendar with its content, and the jobs that use it. */
export async function calendarView(
  pointer: CalendarPointer,
  { calendars, uses }: ApiDeps,
): Promise<CalendarView> {
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

/** A calendar after a change, and what became of its jobs. */
export const calendarChangeView = (
  pointer: CalendarPointer,
  calendar: Calendar,
  { replanned, remaining, movedIntoPast }: CalendarReplan,
): CalendarChangeView => ({
  ...calendarSummary(pointer, calendar),
  changing: remaining > 0,
  ...contentView(calendar),
  replanned,
  remaining,
  movedIntoPast: movedIntoPast.map(({ jobId, wasAtMs, movedToMs }) => ({
    jobId,
    at: instantText(wasAtMs),
    movedTo: instantText(movedToMs),
  })),
});
