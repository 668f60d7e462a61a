import * as z from 'zod/mini';

import { described, JOB_ID } from './fields';

/** A calendar's id, in paths, bodies and schedules. */
export const CalendarId = described(
  z
    .string()
    .check(z.regex(JOB_ID, 'must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit')),
  { examples: ['de-holidays'] },
);

export const CalendarPath = z.strictObject({ calendarId: CalendarId });
