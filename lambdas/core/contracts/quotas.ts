import * as z from 'zod/mini';

/** Quotas of one user, from the stage configuration. */
export const QuotaLimits = z.strictObject({
  /** Jobs that still have an occurrence to come, including paused ones. */
  jobs: z.int().check(z.gte(1)),
  /**
   * Planned occurrences a minute over all jobs. Each job counts with the hour that begins at its next
   * occurrence.
   */
  firesPerMinute: z.int().check(z.gte(1)),
  /** Bytes of the payloads of these jobs, as JSON. */
  payloadBytes: z.int().check(z.gte(1)),
});
export type QuotaLimits = z.output<typeof QuotaLimits>;
