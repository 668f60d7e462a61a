import * as z from 'zod';

import { PRIORITIES } from '../contracts/pools';
import {
  BACKFILL_FAILURE_POLICIES,
  BACKFILL_ONLY,
  BACKFILL_ORDERS,
  BACKFILL_OVERLAPS,
} from '../domain/workflow/backfill';
import { ActorView } from './actor-answers';
import { ExecutionStatusView, Instant, nextCursor, orNull } from './answers';
import { ItemCountsView } from './workflow-answers';

/* Bodies of responses about backfills. See `answers.ts`. */

const dates = {
  count: z.int().meta({ description: 'How many dates run.' }),
  first: orNull(Instant).meta({ description: 'The earliest of them; null if there is none.' }),
  last: orNull(Instant),
  alreadySucceeded: z.int().meta({
    description:
      'How many dates have an execution that has succeeded. With `only: "missing"` they are left out.',
  }),
  estimate: z.strictObject({ writes: z.int(), dollars: z.number() }).meta({
    description: 'What it costs if each date succeeds at its first attempt: writes, and their price.',
  }),
};

/** The policy of the job makes one of what was asked for. */
const parallel = z.int().meta({
  description: 'How many dates run at once: 1 where they keep to an overlap policy other than `allow`.',
});

export const BackfillPlanView = z
  .strictObject({ ...dates, parallel })
  .meta({ id: 'BackfillPlan', description: 'What a backfill would do.' });
export type BackfillPlanView = z.output<typeof BackfillPlanView>;

export const BackfillView = z
  .strictObject({
    jobId: z.string(),
    execId: z.string().meta({ description: 'The run of the backfill. Pause, cancel and retry take it.' }),
    status: ExecutionStatusView,
    reason: orNull(z.string()),
    phase: z.enum(['starting', 'running', 'held', 'stopping', 'ended']),
    from: Instant,
    to: Instant,
    parallel,
    order: z.enum(BACKFILL_ORDERS),
    only: z.enum(BACKFILL_ONLY),
    onFailure: z.enum(BACKFILL_FAILURE_POLICIES),
    overlap: z.enum(BACKFILL_OVERLAPS),
    priority: z.enum(PRIORITIES),
    params: z.record(z.string(), z.unknown()).optional(),
    ...dates,
    items: ItemCountsView.meta({ description: 'The dates by their states.' }),
    taskId: z.string().meta({ description: 'The task of the run whose items are the dates.' }),
    createdAt: Instant,
    startedAt: orNull(Instant),
    finishedAt: orNull(Instant),
    heldAt: orNull(Instant).meta({ description: 'Since when no further date begins: its user paused it.' }),
    by: orNull(ActorView).meta({ description: 'Who started it, or last retried or cancelled it.' }),
  })
  .meta({ id: 'Backfill', description: 'A backfill, and how far it is.' });
export type BackfillView = z.output<typeof BackfillView>;

export const BackfillPage = z
  .strictObject({ items: z.array(BackfillView), nextCursor })
  .meta({ id: 'BackfillPage' });
