import { EVENT_SOURCE_LIMITS } from '../../local/template/event-source-limits';

/** Limits that AWS publishes, as far as they bind here. Comments say which can be raised on request. */
export const LIMITS = {
  asOf: '2026-11-21',
  /**
   * DynamoDB, one partition.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
   */
  partitionWritesPerSec: 1_000,
  partitionReadsPerSec: 3_000,
  /** A table on demand, by default; can be raised. */
  tableWritesPerSec: 40_000,
  tableReadsPerSec: 40_000,
  /** What a new table on demand accepts at once. It doubles its peak in half an hour, or can be warmed. */
  newTableWritesPerSec: 4_000,
  newTableReadsPerSec: 12_000,
  /** SQS, messages received and not yet deleted, of one standard queue. */
  queueInFlight: 120_000,
  /** Lambda, one event source of SQS. The local run scales its own by the same figures. */
  source: EVENT_SOURCE_LIMITS,
  /** Lambda, per account and region, by default; can be raised. A new account may have 10. */
  accountConcurrency: 1_000,
} as const;

/**
 * What `npm run bench:throughput` measured of the functions, and rates derived from it.
 * docs/performance.md describes the machine and its load.
 */
export const MEASURED = {
  asOf: '2026-11-21',
  /** A scanner limits itself to this rate (`PAGE_PACE_MS`). */
  scannedPerSec: 800,
  /** Seconds of its minute that a scanner has for the entries of its busiest shard. */
  scanSec: 45,
  /** Entries with ended executions that one sweeper rechecks in a second, at 512 MB. */
  sweptPerSec: 1_000,
  /** Entries in a backlog that one sweeper files again in a second. */
  filedAgainPerSec: 400,
  /** Seconds of an executor for a batch of ten, without its target: the wait for the instant, AWS calls. */
  batchOverheadSec: 0.45,
  /** Bytes of an entry's row. */
  entryBytes: 200,
} as const;
