import * as z from 'zod/mini';

import { described, duration, singleLine } from './fields';

/** Characters of what a heartbeat says is done now. */
export const MAX_PROGRESS_TEXT = 200;
const FRACTION = 'must be a number from 0 to 1';

/** Body of `heartbeat`. Without `progress`, what is known of it stays. */
export const HeartbeatBody = described(
  z
    .strictObject({
      progress: described(z.optional(z.number(FRACTION).check(z.gte(0, FRACTION), z.lte(1, FRACTION))), {
        description: 'How far the work is, from 0 to 1. Without it, what was said last stays.',
      }),
      text: described(z.optional(singleLine(1, MAX_PROGRESS_TEXT)), {
        description: 'What is done now, such as “page 4 of 10”. Only with `progress`.',
      }),
    })
    .check(
      z.refine(({ progress, text }) => progress !== undefined || text === undefined, {
        path: ['text'],
        message: 'is only allowed with "progress"',
      }),
    ),
  { id: 'Heartbeat' },
);
export type HeartbeatBody = z.output<typeof HeartbeatBody>;

/** Body of `complete`. The API keeps the beginning of the result as JSON: `keptText`. */
export const CompleteBody = described(z.strictObject({ result: z.optional(z.unknown()) }), {
  id: 'CompletedAttempt',
});

/** Body of `fail`. The API keeps the beginning of the error: `keptText`. */
export const FailBody = described(
  z.strictObject({
    error: z._default(z.string(), 'the target reported a failure'),
    retriable: described(z._default(z.boolean(), true), {
      description: 'Whether the job’s retry policy may start another attempt.',
    }),
    retryAfter: described(z.optional(duration('0s', '6h')), {
      description: 'The next attempt comes after this time at the earliest: 0s to 6h.',
    }),
    reason: described(z.optional(z.string()), {
      description:
        'Why it failed: `unknown-job` or `bad-payload`. An execution that fails by it ends with this reason. Any other is ignored.',
      examples: ['bad-payload'],
    }),
  }),
  { id: 'FailedAttempt' },
);
