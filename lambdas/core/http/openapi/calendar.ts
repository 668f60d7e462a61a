import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { CalendarBody, calendarFields } from '../calendar';
import { CalendarId } from '../fields';
import { ActorView } from './actor-answers';
import { Instant, nextCursor } from './answers';
import type { OperationSpec } from './operation-spec';

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

const CalendarPage = z
  .strictObject({ items: z.array(CalendarSummaryView), nextCursor })
  .meta({ id: 'CalendarPage' });

const content = {
  name: 'German holidays',
  timezone: 'Europe/Berlin',
  weekdays: ['SAT', 'SUN'],
  dates: ['2026-12-25', { from: '2026-12-24T18:00', to: '2026-12-27T06:00', note: 'freeze' }],
  yearly: ['01-01'],
};
const summary = {
  calendarId: 'de-holidays',
  name: content.name,
  updatedAt: '2026-12-01T08:30:00.000Z',
  by: { sub: 'alice', name: null, via: 'token' },
  changing: false,
};
const example = { ...summary, ...content, users: ['invoice-reminder-42'], hasMoreUsers: false };
const changed = { ...summary, ...content, replanned: 1, remaining: 0, movedIntoPast: [] };

export const CALENDAR_OPERATIONS = {
  putCalendar: {
    tag: 'Calendars',
    summary: 'Create or replace a calendar',
    description:
      'A schedule names it as `{ "calendar": "de-holidays" }` in `exclude` or `only`. A change replans the jobs that use the ' +
      'calendar, 200 a second. It holds at once: an occurrence that is no longer planned ends as `skipped (superseded)`. ' +
      'No quota refuses a replan.',
    body: { schema: CalendarBody, required: true, example: content },
    responses: {
      200: { description: 'The calendar was replaced.', schema: CalendarChangeView, example: changed },
      201: {
        description: 'The calendar was created.',
        schema: CalendarChangeView,
        example: { ...changed, replanned: 0 },
      },
    },
    problems: [409],
  },
  listCalendars: {
    tag: 'Calendars',
    summary: 'List the calendars of the project',
    responses: {
      200: {
        description: 'A page of the calendars, by id, without their content.',
        schema: CalendarPage,
        example: { items: [summary], nextCursor: null },
      },
    },
  },
  getCalendar: {
    tag: 'Calendars',
    summary: 'Get a calendar',
    responses: { 200: { description: 'The calendar.', schema: CalendarView, example } },
    problems: [404],
  },
  deleteCalendar: {
    tag: 'Calendars',
    summary: 'Delete a calendar',
    description: 'As long as a job uses it: 409, which names the first jobs that do.',
    responses: { 204: { description: 'The calendar is deleted.' } },
    problems: [404, 409],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
