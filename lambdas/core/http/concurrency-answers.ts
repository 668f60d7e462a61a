import * as z from 'zod';

import { ActorView } from './actor-answers';
import { Instant, nextCursor } from './answers';
import { ConcurrencyKeyName, MAX_WAITING_SHOWN, RateFields } from './concurrency-key';

const execution = { jobId: z.string(), execId: z.string() };

export const ConcurrencyKeyView = z
  .strictObject({
    key: ConcurrencyKeyName,
    limit: z.int().meta({ description: 'Executions that run at a time, at most.' }),
    rate: z.optional(RateFields),
    recentStarts: z.optional(z.int()).meta({
      description: 'Executions that started in the last period of the rate. Absent without a rate.',
    }),
    updatedAt: Instant,
    by: ActorView,
    running: z
      .array(z.strictObject({ ...execution, since: Instant }))
      .meta({ description: 'Executions that hold a slot, through all their retries.' }),
    waiting: z.array(z.strictObject({ ...execution, dueAt: Instant })).meta({
      description: `The first executions that wait for a slot or a start, at most ${MAX_WAITING_SHOWN}.`,
    }),
    hasMoreWaiting: z.boolean(),
  })
  .meta({
    id: 'ConcurrencyKey',
    description: 'How many executions with this key run at a time and start in a period, and which run.',
  });
export type ConcurrencyKeyView = z.output<typeof ConcurrencyKeyView>;

export const ConcurrencyKeyPage = z
  .strictObject({ items: z.array(ConcurrencyKeyView), nextCursor })
  .meta({ id: 'ConcurrencyKeyPage' });
