import * as z from 'zod';

import { TASK_STATUSES } from '../../contracts/execution-statuses';
import { ProgressView, TaskAttemptView } from './workflow-answers';

/* Bodies of responses about the items of fan-outs. See `answers.ts`. */

const Instant = z.string().meta({ format: 'date-time' });

const ItemView = z
  .strictObject({
    index: z.int().meta({ description: 'Its place in the list, from 0.' }),
    item: z.unknown().meta({ description: 'Its value.' }),
    status: z.enum(TASK_STATUSES).meta({
      description:
        '`waiting`: the window has no room for it yet. `stopped`: its fan-out was stopped before it began.',
    }),
    reason: z.string().nullable(),
    round: z.int().meta({
      description:
        'An earlier round than that of the task, if it has succeeded there and does not run again.',
    }),
    startedAt: Instant.nullable(),
    finishedAt: Instant.nullable(),
    attempts: z.int().meta({ description: 'How many attempts have ended.' }),
    result: z.strictObject({ statusCode: z.int().nullable(), body: z.string().nullable() }).nullable(),
    child: z.strictObject({ jobId: z.string(), execId: z.string().nullable() }).optional().meta({
      description: 'Only of a fan-out that starts a job: the execution of that job. Null until it begins.',
    }),
  })
  .meta({ id: 'Item', description: 'An item of a fan-out.' });
export type ItemView = z.output<typeof ItemView>;

export const ItemPage = z
  .strictObject({ items: z.array(ItemView), nextCursor: z.string().nullable() })
  .meta({ id: 'ItemPage' });

export const ItemDetailView = z
  .strictObject({
    ...ItemView.shape,
    attemptList: z.array(TaskAttemptView),
    heartbeatAt: Instant.nullable(),
    progress: ProgressView.optional(),
    output: z
      .unknown()
      .optional()
      .meta({ description: 'What its target returned. Absent if that was not kept.' }),
  })
  .meta({ id: 'ItemDetail', description: 'An item of a fan-out with its attempts.' });
export type ItemDetailView = z.output<typeof ItemDetailView>;
