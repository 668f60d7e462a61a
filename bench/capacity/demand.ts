import { LIMITS, MEASURED } from './limits';

/** Write and read units of one fire, by table. `bench:cost` counts 3 writes and 2.1 reads in all. */
const FIRE = {
  scheduleWrites: 1,
  executionWrites: 2,
  /** The scanner reads the job in a batch (0.5), the executor consistently (1). */
  jobReads: 1.5,
};
const MESSAGES_A_BATCH = 10;
/** Requests to SQS for one full batch: sent, received, deleted. */
const REQUESTS_A_BATCH = 3;
/** Response times of targets on the page, in seconds. */
export const TARGET_SEC = [0.05, 1, 10] as const;
/** The bound of `shardCount` in the stage configuration. */
const MAX_SHARDS = 256;

export interface Demand {
  firesPerMinute: number;
  firesPerSec: number;
  shards: number;
  entriesAShard: number;
  /** Seconds of each minute that one scanner works. */
  scanSec: number;
  scheduleWritesPerSec: number;
  executionWritesPerSec: number;
  jobReadsPerSec: number;
  sqsRequestsPerSec: number;
  /** Concurrent executors, and messages that they have received, by the response time of targets. */
  executors: { targetSec: number; concurrency: number; inFlight: number; minutesToScale: number }[];
}

/** Shards for that many fires a minute: a power of two, so that a later raise splits each in equal parts. */
export function shardsFor(firesPerMinute: number): number {
  const needed = firesPerMinute / (MEASURED.scannedPerSec * MEASURED.scanSec);
  return Math.min(MAX_SHARDS, 2 ** Math.ceil(Math.log2(Math.max(1, needed))));
}

export function demandOf(firesPerMinute: number): Demand {
  const firesPerSec = firesPerMinute / 60;
  const shards = shardsFor(firesPerMinute);
  const entriesAShard = firesPerMinute / shards;
  return {
    firesPerMinute,
    firesPerSec,
    shards,
    entriesAShard,
    scanSec: entriesAShard / MEASURED.scannedPerSec,
    scheduleWritesPerSec: firesPerSec * FIRE.scheduleWrites + (2 * shards) / 60,
    executionWritesPerSec: firesPerSec * FIRE.executionWrites,
    jobReadsPerSec: firesPerSec * FIRE.jobReads,
    sqsRequestsPerSec: (firesPerSec / MESSAGES_A_BATCH) * REQUESTS_A_BATCH,
    executors: TARGET_SEC.map((targetSec) => {
      const concurrency = Math.ceil(
        (firesPerSec / MESSAGES_A_BATCH) * (targetSec + MEASURED.batchOverheadSec),
      );
      return {
        targetSec,
        concurrency,
        inFlight: concurrency * MESSAGES_A_BATCH,
        minutesToScale: Math.max(0, (concurrency - LIMITS.source.start) / LIMITS.source.morePerMinute),
      };
    }),
  };
}

/** How much of a limit is used, and the fires a minute that would use all of it. */
export interface Use {
  limit: string;
  demand: number;
  allowed: number;
  share: number;
  bindsAt: number;
}

/** The limits of a steady load whose targets respond in `targetSec`, the tightest first. */
export function usesOf(demand: Demand, targetSec: number): Use[] {
  const executors = demand.executors.find((one) => one.targetSec === targetSec)!;
  const limits: [string, number, number][] = [
    [
      'Executions: writes per second of a table (can be raised)',
      demand.executionWritesPerSec,
      LIMITS.tableWritesPerSec,
    ],
    [
      'Schedule: writes per second of a table (can be raised)',
      demand.scheduleWritesPerSec,
      LIMITS.tableWritesPerSec,
    ],
    ['Jobs: reads per second of a table (can be raised)', demand.jobReadsPerSec, LIMITS.tableReadsPerSec],
    [
      'Lambda: executors at once per account (can be raised)',
      executors.concurrency,
      LIMITS.accountConcurrency,
    ],
    ['Lambda: batches at once per queue', executors.concurrency, LIMITS.source.concurrency],
    ['SQS: messages in flight per queue', executors.inFlight, LIMITS.queueInFlight],
  ];
  return limits
    .map(([limit, needed, allowed]) => {
      const share = needed / allowed;
      return { limit, demand: needed, allowed, share, bindsAt: demand.firesPerMinute / share };
    })
    .sort((a, b) => b.share - a.share);
}
