import * as z from 'zod/mini';

import { described } from './fields';

/** Body of `complete`. Of the result as JSON the first 256 bytes are kept. */
export const CompleteBody = described(z.strictObject({ result: z.optional(z.unknown()) }), {
  id: 'CompletedAttempt',
});

/** Body of `fail`. Of the error the first 2 KB are kept. */
export const FailBody = described(
  z.strictObject({
    error: z._default(z.string(), 'the target reported a failure'),
    retriable: described(z._default(z.boolean(), true), {
      description: 'Whether the job’s retry policy may try again.',
    }),
  }),
  { id: 'FailedAttempt' },
);
