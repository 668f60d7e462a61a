import * as z from 'zod/mini';

/** Quotas of one project, from the stage configuration. */
export const QuotaLimits = z.strictObject({
  /** Jobs with an occurrence to come, or without due times, including paused ones. */
  jobs: z.int().check(z.gte(1)),
  /**
   * Planned occurrences a minute over all jobs. Each job counts with the hour that begins at its next
   * occurrence.
   */
  firesPerMinute: z.int().check(z.gte(1)),
  /** Bytes of the payloads of these jobs, as JSON. */
  payloadBytes: z.int().check(z.gte(1)),
  /** Requests that name the project by a token. The operator's own routes do not count. */
  requestsPerMinute: z.int().check(z.gte(1)),
  /**
   * What writes entries: a job is created, rescheduled or resumed, or a user lets a run go on. So does a
   * repeated start that files the entry of a run again. What stops work does not count.
   */
  changesPerMinute: z.int().check(z.gte(1)),
  /** Manual runs, runs that events start, and retries that the user asks for. */
  runsPerMinute: z.int().check(z.gte(1)),
  /** Heartbeats, results, releases and chunks of logs, by the tokens of attempts. */
  reportsPerMinute: z.int().check(z.gte(1)),
  /** Bytes of the rows that requests write on a day in UTC. What planned work writes does not count. */
  writtenBytesPerDay: z.int().check(z.gte(1)),
  /** Bytes of log lines on a day in UTC. */
  logBytesPerDay: z.int().check(z.gte(1)),
  /** Bytes of log lines of one attempt. */
  logBytesPerAttempt: z.int().check(z.gte(1)),
  /** Runs of workflows that are under way. */
  liveRuns: z.int().check(z.gte(1)),
});
export type QuotaLimits = z.output<typeof QuotaLimits>;
