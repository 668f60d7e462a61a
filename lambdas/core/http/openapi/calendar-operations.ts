import type { Operation } from '../../contracts/routes';
import { CalendarBody } from '../calendar';
import { CalendarChangeView, CalendarPage, CalendarView } from '../calendar-answers';
import type { OperationSpec } from './operation-spec';

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
