import * as z from 'zod';

/** Body of `complete`. Of the result as JSON the first 256 bytes are kept. */
export const CompleteBody = z
  .strictObject({ result: z.unknown().optional() })
  .meta({ id: 'CompletedAttempt' });

/** Body of `fail`. Of the error the first 2 KB are kept. */
export const FailBody = z
  .strictObject({
    error: z.string().default('the target reported a failure'),
    retriable: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the job’s retry policy may try again.' }),
  })
  .meta({ id: 'FailedAttempt' });
