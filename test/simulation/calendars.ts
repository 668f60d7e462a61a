import { gunzipSync } from 'node:zlib';

import {
  CALENDARS,
  calendarVersionsKeyOf,
  EXECUTIONS_KEY,
  JOBS_KEY,
} from '../../lambdas/core/contracts/tables';
import type { UsedCalendar } from '../../lambdas/core/domain/calendar';
import type { Job } from '../../lambdas/core/domain/job';
import { Calendar, type CalendarContent } from '../../lambdas/core/schedule/calendar';

type Row = Record<string, unknown>;
/** The content row of a version, by its key. */
export type RowOf = (key: { partition: string; sort: string }) => Row | undefined;

function contentOf(userId: string, calendarId: string, version: string, rowOf: RowOf): Calendar {
  const row = rowOf({ partition: calendarVersionsKeyOf({ userId, calendarId }), sort: version });
  if (!row) throw new Error(`calendar ${calendarId} has no version ${version}`);
  const json = gunzipSync(Buffer.from(row.content as string, 'base64')).toString();
  return new Calendar(JSON.parse(json) as CalendarContent);
}

/** A job of a row with the content of its calendars. Its row has their versions alone. */
export function withContent(job: Job, rowOf: RowOf): Job {
  if (!job.calendars) return job;
  const calendarOf = (id: string, version: string) => contentOf(job.userId, id, version, rowOf);
  const calendars = job.calendars.map((used) => ({
    ...used,
    calendar: calendarOf(used.id, used.version),
    ...(used.earlier && {
      earlier: used.earlier.map((one) => ({ ...one, calendar: calendarOf(used.id, one.version) })),
    }),
  }));
  return { ...job, calendars };
}

/** The calendar of a pointer's row; undefined for any other row. */
export function calendarIn(row: Row, rowOf: RowOf): { calendarKey: string; calendar: Calendar } | undefined {
  const sort = String(row[JOBS_KEY.sort]);
  if (!sort.startsWith(CALENDARS)) return undefined;
  const userId = String(row[JOBS_KEY.partition]);
  const calendarId = sort.slice(CALENDARS.length);
  return {
    calendarKey: `${userId}/${calendarId}`,
    calendar: contentOf(userId, calendarId, String(row.version), rowOf),
  };
}

export const versionRowKey = ({ partition, sort }: { partition: string; sort: string }): Row => ({
  [EXECUTIONS_KEY.partition]: partition,
  [EXECUTIONS_KEY.sort]: sort,
});

/** A job as it was logged. A log may have been copied, and copies of calendars have no methods. */
export const withMethods = <One extends Job | null>(job: One): One =>
  job?.calendars ? { ...job, calendars: job.calendars.map(withMethodsOf) } : job;

const withMethodsOf = (used: UsedCalendar): UsedCalendar => ({
  ...used,
  calendar: new Calendar(used.calendar.content),
  ...(used.earlier && {
    earlier: used.earlier.map((one) => ({ ...one, calendar: new Calendar(one.calendar.content) })),
  }),
});
