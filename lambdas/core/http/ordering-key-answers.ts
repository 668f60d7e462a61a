import * as z from 'zod';

import { ExecutionStatusView, Instant, orNull } from './answers';
import { JobId } from './fields';

/* Bodies of responses about ordering keys. See `answers.ts`. */

export const OrderingKeyView = z
  .strictObject({
    orderingKey: z.string(),
    holder: orNull(z.strictObject({ jobId: JobId, execId: z.string(), status: ExecutionStatusView })).meta({
      description:
        'The execution that holds the key. It runs, waits for a retry, or has failed and blocks the key.',
    }),
    blocked: z.boolean(),
    waiting: z
      .array(z.strictObject({ jobId: JobId, execId: z.string(), dueAt: Instant }))
      .meta({ description: 'The first ten executions that are due and wait for the key, in their order.' }),
  })
  .meta({
    id: 'OrderingKey',
    description: 'The state of an ordering key: which execution holds it, and which wait for it.',
  });
export type OrderingKeyView = z.output<typeof OrderingKeyView>;
