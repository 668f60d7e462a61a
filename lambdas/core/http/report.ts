import * as z from 'zod/mini';

import { described, duration } from './fields';

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
  }),
  { id: 'FailedAttempt' },
);
