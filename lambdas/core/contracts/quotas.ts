import * as z from 'zod/mini';

/** What one user may have; from the stage's configuration. */
export const QuotaLimits = z.strictObject({
  /** Jobs with a future, paused ones included. */
  jobs: z.int().check(z.gte(1)),
  /** Planned occurrences a minute, over all jobs: each job counts by the hour that begins with its next occurrence. */
  firesPerMinute: z.int().check(z.gte(1)),
  /** Payloads of all these jobs together, as JSON. */
  payloadBytes: z.int().check(z.gte(1)),
});
export type QuotaLimits = z.output<typeof QuotaLimits>;
