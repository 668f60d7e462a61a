import * as z from 'zod';

import { Instant } from './answers';

/** As in `answers.ts`, operations import only the type. */
export const EventView = z
  .strictObject({
    eventId: z.string().meta({ description: 'The event’s id: as given, or as made for it.' }),
    name: z.string(),
    runs: z
      .array(
        z.strictObject({
          jobId: z.string(),
          execId: z.string(),
          status: z.enum(['queued', 'skipped']),
          dueAt: Instant,
        }),
      )
      .meta({
        description:
          'One for each job that waits for the event. `skipped`: the job is paused, so the event is on record alone.',
      }),
    replayed: z.boolean().meta({ description: 'An event with this id had been sent before.' }),
  })
  .meta({ id: 'Event', description: 'An event, and the executions that it starts.' });
export type EventView = z.output<typeof EventView>;
