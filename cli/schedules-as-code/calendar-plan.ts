import { isDeepStrictEqual } from 'node:util';

import { type Calendar, type CalendarDefinition, NotFoundError, type Quarterjack } from '../../client';
import { inParallel } from '../in-parallel';
import { diff, type FieldChange } from './diff';
import type { FileCalendar } from './jobs-file';

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
    const [before, after] = [current && contentOf(current), contentOf(calendar.definition)];
    if (isDeepStrictEqual(before, after)) return [];
    return [{ calendar, isNew: !before, changes: before ? diff(before, after, FIELDS) : [] }];
  });
  return plans.flat();
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
const contentOf = ({ name, timezone, weekdays = [], dates = [], yearly = [] }: CalendarDefinition) => ({
  ...(name !== undefined && { name }),
  ...(timezone !== undefined && { timezone }),
  weekdays,
  dates,
  yearly,
});
