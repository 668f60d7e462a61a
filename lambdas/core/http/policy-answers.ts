import * as z from 'zod';

/* The policies of a definition, as responses show them. */

export const RetryView = z.strictObject({
  maxAttempts: z.int(),
  initialDelay: z.string(),
  maxDelay: z.string(),
  multiplier: z.number(),
  jitter: z.enum(['full', 'none']),
  maxAge: z.string(),
  on: z
    .array(z.union([z.int(), z.enum(['3xx', '4xx', '5xx'])]))
    .meta({ description: 'The statuses of HTTP targets that are retried.' }),
});

export const MisfireView = z.strictObject({
  policy: z.enum(['fire-now', 'fire-once', 'fire-all', 'skip']),
  grace: z.string(),
  catchUpWindow: z.string(),
});
