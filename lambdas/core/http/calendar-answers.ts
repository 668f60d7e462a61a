import * as z from 'zod';

import { ActorView } from './actor-answers';
import { Instant, nextCursor } from './answers';
import { calendarFields } from './calendar';
import { CalendarId } from './calendar-fields';

// Bodies of responses about calendars. As in `answers.ts`, operations import only their types.

/** Jobs shown with a calendar. */
const MAX_USING_JOBS = 100;

const common = {
  calendarId: CalendarId,
  name: z.string().optional(),
  updatedAt: Instant,
  by: ActorView,
  changing: z.boolean().meta({
    description: 'Whether jobs may still be planned by an earlier version. It takes minutes at most.',
  }),
};

const knownUntil = z
  .string()
  .optional()
  .meta({
    description:
      'The last day of `dates`. After it, the calendar knows weekdays and dates of every year alone. Absent if it has no dates.',
    examples: ['2026-12-26'],
  });

const whole = {
  ...common,
  timezone: z.string().optional(),
  weekdays: calendarFields.weekdays,
  dates: calendarFields.dates,
  yearly: calendarFields.yearly,
  knownUntil,
};

export const CalendarView = z
  .strictObject({
    ...whole,
    users: z.array(z.string()).meta({
      description: `Ids of jobs whose schedules name the calendar, at most ${MAX_USING_JOBS}. A job that no longer names it may be listed until the next audit.`,
    }),
    hasMoreUsers: z.boolean(),
  })
  .meta({ id: 'Calendar', description: 'Days and times that schedules exclude, or keep to.' });
export type CalendarView = z.output<typeof CalendarView>;

export const CalendarChangeView = z
  .strictObject({
    ...whole,
    replanned: z.int().meta({ description: 'Jobs that were replanned before this response.' }),
    remaining: z.int().meta({
      description:
        'Jobs that are replanned later, within minutes. The change holds for them already: what is no longer planned does not run.',
    }),
    movedIntoPast: z.array(z.strictObject({ jobId: z.string(), at: Instant, movedTo: Instant })).meta({
      description:
        'Occurrences that the change moved into the past: they do not run. `at` is when they were planned before. At most 100, of the jobs that were replanned.',
    }),
  })
  .meta({ id: 'CalendarChange', description: 'A calendar after a change, and what became of its jobs.' });
export type CalendarChangeView = z.output<typeof CalendarChangeView>;

const CalendarSummaryView = z
  .strictObject({ ...common, knownUntil })
  .meta({ id: 'CalendarSummary', description: 'A calendar without its content.' });
export type CalendarSummaryView = z.output<typeof CalendarSummaryView>;

export const CalendarPage = z
  .strictObject({ items: z.array(CalendarSummaryView), nextCursor })
  .meta({ id: 'CalendarPage' });
