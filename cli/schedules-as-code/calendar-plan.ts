import { isDeepStrictEqual } from 'node:util';

import { type Calendar, type CalendarDefinition, NotFoundError, type Quarterjack } from '../../client';
import { endText } from '../calendars/end-text';
import { inParallel } from '../in-parallel';
import { isObject } from '../is-object';
import { diff, type FieldChange } from './diff';
import type { FileCalendar, FileJob } from './jobs-file';

/** A calendar to add or to change. No file removes one. */
export interface CalendarPlan {
  calendar: FileCalendar;
  isNew: boolean;
  changes: FieldChange[];
}

const FIELDS = ['name', 'timezone', 'weekdays', 'dates', 'yearly'];

/** Compares the calendars of files with the stored ones. */
export async function planCalendars(
  client: Quarterjack,
  calendars: readonly FileCalendar[],
): Promise<CalendarPlan[]> {
  const plans = await inParallel(calendars, async (calendar): Promise<CalendarPlan[]> => {
    const current = await currentOf(client, calendar.calendarId);
    const [before, after] = [current && calendarContent(current), calendarContent(calendar.definition)];
    if (isDeepStrictEqual(before, after)) return [];
    return [{ calendar, isNew: !before, changes: before ? diff(before, after, FIELDS) : [] }];
  });
  return plans.flat();
}

/** What a calendar of the plan does not know: `knows nothing after 2026-12-26`. */
export interface CalendarEnd {
  calendarId: string;
  text: string;
}

/** Where the calendars end that a plan sets, or that its schedules name. */
export async function calendarEnds(
  client: Quarterjack,
  set: readonly CalendarPlan[],
  written: readonly { job: FileJob }[],
): Promise<CalendarEnd[]> {
  const known = new Map(set.map(({ calendar: { calendarId, definition } }) => [calendarId, definition]));
  const ofJobs = written.flatMap(({ job }) => namedIn(job.definition.schedule));
  const named = [...new Set([...known.keys(), ...ofJobs])].sort();
  const ends = await inParallel(named, async (calendarId): Promise<CalendarEnd[]> => {
    const calendar = known.get(calendarId) ?? (await currentOf(client, calendarId));
    const text = calendar && endText(calendar);
    return text === undefined ? [] : [{ calendarId, text }];
  });
  return ends.flat();
}

/** The ids of calendars that a schedule of a file names. The API has checked its shape. */
function namedIn(schedule: unknown): string[] {
  const lists = isObject(schedule) ? [schedule.exclude, schedule.only] : [];
  return lists.flatMap((list) =>
    Array.isArray(list)
      ? list.flatMap((one: unknown) =>
          isObject(one) && typeof one.calendar === 'string' ? [one.calendar] : [],
        )
      : [],
  );
}

async function currentOf(client: Quarterjack, calendarId: string): Promise<Calendar | undefined> {
  try {
    return await client.calendars.get(calendarId);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Its fields, with the defaults that the API has for those that are left out. */
export const calendarContent = ({
  name,
  timezone,
  weekdays = [],
  dates = [],
  yearly = [],
}: CalendarDefinition) => ({
  ...(name !== undefined && { name }),
  ...(timezone !== undefined && { timezone }),
  weekdays,
  dates,
  yearly,
});
