import * as z from 'zod';

import { PRIORITIES } from '../../contracts/pools';
import {
  BACKFILL_FAILURE_POLICIES,
  BACKFILL_ONLY,
  BACKFILL_ORDERS,
  BACKFILL_OVERLAPS,
} from '../../domain/workflow/backfill';
import type { Operation } from '../../contracts/routes';
import { BackfillBody } from '../backfill';
import { ActorView } from './actor-answers';
import { ExecutionStatusView, Instant, nextCursor, orNull } from './answers';
import { ItemCountsView } from './workflow-answers';
import type { OperationSpec } from './operation-spec';

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

const BackfillPage = z
  .strictObject({ items: z.array(BackfillView), nextCursor })
  .meta({ id: 'BackfillPage' });

const plan = {
  count: 28,
  first: '2026-11-01T02:00:00.000Z',
  last: '2026-11-30T02:00:00.000Z',
  alreadySucceeded: 2,
  parallel: 3,
  estimate: { writes: 178, dollars: 0.00011125 },
};

const backfill = {
  jobId: 'etl',
  execId: '20261201T083000.000Z-bf0c1f6b1d4c0f4f1d9e8a7b6c5d',
  status: 'running',
  reason: null,
  phase: 'running',
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
  order: 'asc',
  only: 'missing',
  onFailure: 'continue',
  overlap: 'respect',
  priority: 'low',
  ...plan,
  items: { count: 28, succeeded: 12, failed: 1, cancelled: 0, running: 3, waiting: 12 },
  taskId: 'dates',
  createdAt: '2026-12-01T08:30:00.000Z',
  startedAt: '2026-12-01T08:30:00.110Z',
  finishedAt: null,
  heldAt: null,
  by: { sub: 'alice', name: 'alice@example.com', via: 'token' },
};

export const BACKFILL_OPERATIONS = {
  startBackfill: {
    tag: 'Backfills',
    summary: 'Start a backfill',
    description:
      'Runs a job once for each due time of its schedule in a range, whether or not the job was there or active then. ' +
      'It is a run of its own: pause, resume, cancel and retry it by its execId. With `dryRun`, the answer is 200 with ' +
      'what it would do, and nothing is written.',
    headers: ['Idempotency-Key'],
    body: {
      schema: BackfillBody,
      required: true,
      example: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z', parallel: 3 },
    },
    responses: {
      200: { description: 'What the backfill would do.', schema: BackfillPlanView, example: plan },
      202: {
        description: 'The backfill.',
        schema: BackfillView,
        example: {
          ...backfill,
          status: 'queued',
          phase: 'starting',
          startedAt: null,
          items: { count: 28, succeeded: 0, failed: 0, cancelled: 0, running: 0, waiting: 28 },
        },
        headers: ['Location', 'Idempotency-Replayed'],
      },
    },
    problems: [404, 409, 422],
  },
  listBackfills: {
    tag: 'Backfills',
    summary: 'List the backfills of a job',
    description: 'Newest first; also of a deleted job.',
    responses: {
      200: {
        description: 'A page of backfills.',
        schema: BackfillPage,
        example: { items: [backfill], nextCursor: null },
      },
    },
    problems: [404],
  },
  listAllBackfills: {
    tag: 'Backfills',
    summary: 'List the backfills of all jobs',
    description:
      'Newest first; also those of deleted jobs. A request reads at most 500 backfills, so a page may be short ' +
      'and have a next one.',
    responses: {
      200: {
        description: 'A page of backfills.',
        schema: BackfillPage,
        example: { items: [backfill], nextCursor: null },
      },
    },
  },
  getBackfill: {
    tag: 'Backfills',
    summary: 'Get a backfill',
    responses: { 200: { description: 'The backfill.', schema: BackfillView, example: backfill } },
    problems: [404],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
