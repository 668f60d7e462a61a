import type { CalendarPointer } from '../../core/domain/calendar';
import { expireVersion } from '../../core/job-writes/replan-calendar';
import { audited } from '../audit/audited';
import { conflict } from '../http/problem';
import { usersOf } from '../jobs/users-of';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { requestedCalendar } from './calendar-view';

const NAMED_USERS = 10;

/**
 * 204. Throws `ProblemError` 409 that names the first jobs that use the calendar. A job that is saved at the
 * same time keeps the version that it has read: the auditor lets it live on.
 *
 * Order of writes: the pointer → its versions expire. A failure in between only keeps them.
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
  if ((await deps.calendars.remove(calendar, calendar.etag)) === 'changed')
    throw conflict('another request has changed the calendar; repeat the request');
  const { version, changing } = calendar;
  try {
    for (const one of [version, changing?.from])
      if (one !== undefined) await expireVersion(calendar, one, deps);
  } catch (error) {
    deps.log.error('the versions of a deleted calendar are kept', error, { calendarId, version });
  }
}
