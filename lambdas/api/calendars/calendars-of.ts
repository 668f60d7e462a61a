import type { UsedCalendar } from '../../core/domain/calendar';
import { calendarsNamedBy } from '../../core/schedule/calendar-rules';
import type { ScheduleSpec } from '../../core/schedule/spec';
import type { ApiDeps } from '../request';

/**
 * The calendars that a schedule names, as they are now. One that does not exist is left out: parsing the
 * schedule reports it. A schedule without calendars reads nothing.
 */
export async function calendarsOf(
  schedule: ScheduleSpec,
  project: string,
  { calendars }: Pick<ApiDeps, 'calendars'>,
): Promise<UsedCalendar[]> {
  if (typeof schedule === 'string' || (schedule.type !== 'cron' && schedule.type !== 'interval')) return [];
  const used = calendarsNamedBy(schedule).map(async ({ id }): Promise<UsedCalendar[]> => {
    const key = { userId: project, calendarId: id };
    const pointer = await calendars.get(key);
    if (!pointer) return [];
    const { version, changedAtMs: sinceMs } = pointer;
    return [{ id, version, sinceMs, calendar: await calendars.calendarOf(key, version) }];
  });
  return (await Promise.all(used)).flat();
}
