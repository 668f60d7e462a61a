import * as z from 'zod';

import { Instant } from './answers';

/* Bodies of responses with due times. See `answers.ts`. */

const times = z.array(
  z.strictObject({
    at: Instant,
    local: z.string().meta({ description: 'Local time in the time zone of the schedule.' }),
    note: z.string().optional().meta({ description: 'How a change of clocks moved or repeated this time.' }),
  }),
);
export const TimesView = z.strictObject({ times }).meta({ id: 'Times' });
export type TimesView = z.output<typeof TimesView>;

export const PreviewView = z
  .strictObject({ times, description: z.string().meta({ description: 'The schedule in words.' }) })
  .meta({ id: 'Preview' });
export type PreviewView = z.output<typeof PreviewView>;
