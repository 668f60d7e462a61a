import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { EventBody } from '../external-schedule';
import { Instant } from './answers';
import type { OperationSpec } from './operation-spec';

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
          status: z.enum(['queued', 'skipped', 'failed']),
          dueAt: Instant,
        }),
      )
      .meta({
        description:
          'One for each job that waits for the event. `skipped`: the job is paused, so the event is on record alone. ' +
          '`failed`: its data do not fit the `payloadSchema` of the job.',
      }),
    replayed: z.boolean().meta({ description: 'An event with this id had been sent before.' }),
  })
  .meta({ id: 'Event', description: 'An event, and the executions that it starts.' });
export type EventView = z.output<typeof EventView>;

export const EVENT_OPERATIONS = {
  sendEvent: {
    tag: 'Events',
    summary: 'Send an event',
    description:
      'Starts each job whose schedule waits for an event of this name, and whose `where` fits `data`: once for each ' +
      'event id and job. A paused job records the event as skipped. The runs count towards the quota of runs a ' +
      'minute. Where it has no room for all of them, the answer is 429, and nothing is started.',
    headers: ['Idempotency-Key'],
    body: {
      schema: EventBody,
      required: true,
      example: { name: 'order.paid', key: 'order-42', id: 'evt-1', data: { region: 'eu', order: 42 } },
    },
    responses: {
      202: {
        description: 'The event, and the executions that it starts.',
        schema: EventView,
        example: {
          eventId: 'evt-1',
          name: 'order.paid',
          runs: [
            {
              jobId: 'send-receipt',
              execId: '20261201T083000.000Z-0c1f6b1d4c0f4f1d9e8a7b6c5d',
              status: 'queued',
              dueAt: '2026-12-01T08:30:00.000Z',
            },
          ],
          replayed: false,
        },
      },
    },
    problems: [409, 422],
  },
} as const satisfies Partial<Record<Operation, OperationSpec>>;
