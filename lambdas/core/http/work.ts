import * as z from 'zod/mini';

import { MAX_CLAIMED, WORK_QUEUE } from '../domain/work';
import { described, duration, singleLine, wholeNumber } from './fields';

/** The name of a work queue, in paths and in bodies. */
export const WorkQueueName = described(
  z.string().check(z.regex(WORK_QUEUE, 'must be 1 to 64 letters, digits or characters of "._-"')),
  { examples: ['warehouse'] },
);

export const WorkQueuePath = z.strictObject({ queue: WorkQueueName });

/** Body of `POST /v1/work/claim`. */
export const ClaimBody = described(
  z.strictObject({
    queue: WorkQueueName,
    max: described(z._default(wholeNumber(1, MAX_CLAIMED), 1), {
      description: 'How many executions to claim at most.',
    }),
    wait: described(z._default(duration('0s', '20s'), '0s'), {
      description: 'How long the request may wait for work, from 0s to 20s.',
      examples: ['20s'],
    }),
    worker: described(z.optional(singleLine(1, 64)), {
      description: 'Name of the worker. It stands on the attempts that it claims.',
      examples: ['host-1/4711'],
    }),
  }),
  { id: 'ClaimRequest' },
);
export type ClaimBody = z.output<typeof ClaimBody>;
