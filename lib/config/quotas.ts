import * as z from 'zod';

import { int } from './values';

/** Limits of one project. */
export const Quotas = z.strictObject({
  /** Jobs with a future occurrence. */
  jobs: int(1, 100_000_000),
  /** Planned occurrences per minute, over all jobs, averaged over an hour. */
  firesPerMinute: int(1, 100_000_000),
  /** Payloads of all jobs together. */
  payloadBytes: int(65_536, 1_000_000_000_000),
  /** Requests to the API. */
  requestsPerMinute: int(1, 100_000_000),
  /** Jobs created, rescheduled or resumed. */
  changesPerMinute: int(1, 100_000_000),
  /** Rows that requests write. */
  writtenBytesPerDay: int(65_536, 1_000_000_000_000).default(10_737_418_240),
  /** Text of logs. */
  logBytesPerDay: int(65_536, 1_000_000_000_000).default(1_073_741_824),
  logBytesPerAttempt: int(65_536, 5_242_880).default(524_288),
  /** Manual runs, and retries that the user asks for. */
  runsPerMinute: int(1, 100_000_000),
  /** Heartbeats, results and releases of attempts. */
  reportsPerMinute: int(1, 100_000_000).default(600_000),
  /** Runs of workflows under way at a time. */
  liveRuns: int(1, 100_000_000),
});
