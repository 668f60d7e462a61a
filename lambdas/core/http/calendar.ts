import * as z from 'zod/mini';

import { WEEKDAYS } from '../schedule/calendar';
import { described, singleLine, textUpTo } from './fields';

const MAX_DATES = 500;
const MAX_YEARLY = 366;

// Only shapes are checked here. `Calendar` parses the dates.
const day = textUpTo(32);

const range = described(
  z.strictObject({
    from: described(textUpTo(32), { examples: ['2026-12-24T18:00'] }),
    to: described(textUpTo(32), { examples: ['2026-12-27T06:00'] }),
    note: z.optional(described(singleLine(1, 100), { examples: ['freeze'] })),
  }),
  {
    id: 'CalendarRange',
    description:
      'Two days, both included, or two local times, the second one excluded. Previews show the note.',
  },
);

/** What a calendar says, as `Calendar` parses it. */
export const calendarFields = {
  timezone: z.optional(
    described(textUpTo(64), {
      description:
        'Name of an IANA time zone: that of the days and local times. Default: the zone of each schedule.',
      examples: ['Europe/Berlin'],
    }),
  ),
  weekdays: described(
    z._default(
      z
        .array(z.enum(WEEKDAYS, `must be one of ${WEEKDAYS.join(', ')}`))
        .check(z.maxLength(WEEKDAYS.length, `must have at most ${WEEKDAYS.length} weekdays`)),
      [],
    ),
    { description: 'Days of each week.' },
  ),
  dates: described(
    z._default(
      z.array(z.union([day, range])).check(z.maxLength(MAX_DATES, `must have at most ${MAX_DATES} dates`)),
      [],
    ),
    { description: 'Days (`2026-12-25`) and ranges.' },
  ),
  yearly: described(
    z._default(
      z.array(textUpTo(16)).check(z.maxLength(MAX_YEARLY, `must have at most ${MAX_YEARLY} dates`)),
      [],
    ),
    { description: 'Dates of every year: `01-01`. `02-29` exists in leap years alone.' },
  ),
};

/** Body of `PUT /v1/calendars/{calendarId}`. */
export const CalendarBody = described(
  z.strictObject({ name: z.optional(singleLine(1, 128)), ...calendarFields }),
  { id: 'CalendarRequest' },
);
export type CalendarBody = z.output<typeof CalendarBody>;
