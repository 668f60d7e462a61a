/** Limits that AWS publishes, as far as they bind here. Quotas that can be raised on request are marked. */
export const LIMITS = {
  asOf: '2026-11-21',
  /** DynamoDB, one partition. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
  partitionWritesPerSec: 1_000,
  partitionReadsPerSec: 3_000,
  /** Of a table on demand, by default; can be raised. */
  tableWritesPerSec: 40_000,
  tableReadsPerSec: 40_000,
  /** What a new table on demand takes at once; it doubles its peak within half an hour, or is warmed. */
  newTableWritesPerSec: 4_000,
  newTableReadsPerSec: 12_000,
  /** SQS, messages received and not yet deleted, of one standard queue. */
  queueInFlight: 120_000,
  /** Lambda, batches at once of one SQS event source: five at first, 300 more each minute. */
  sourceConcurrency: 1_250,
  sourceStart: 5,
  sourceMorePerMinute: 300,
  /** Lambda, of an account and region, by default; can be raised. A new account may have 10. */
  accountConcurrency: 1_000,
} as const;

/**
 * What was measured of the functions, by `npm run bench:throughput`, and how the rates follow from it. The state of the
 * machine stands in docs/performance.md.
 */
export const MEASURED = {
  asOf: '2026-11-21',
  /** A scanner makes itself no faster than this (`PAGE_PACE_MS`). */
  scannedPerSec: 800,
  /** Seconds of its minute that a scanner has for the entries of its busiest shard. */
  scanSec: 45,
  /** Entries whose executions have ended that one sweeper looks at in a second, at 512 MB. */
  sweptPerSec: 1_000,
  /** Entries that wait in a backlog and are filed again. */
  filedAgainPerSec: 400,
  /** What a batch of ten takes an executor besides its target's answer, in seconds: waiting for the instant, its calls. */
  batchOverheadSec: 0.45,
  /** Bytes of an entry's row. */
  entryBytes: 200,
} as const;
