import { LIMITS, MEASURED } from './limits';

/** Of one fire: write and read units by table. `bench:cost` counts 3 writes and 2.1 reads in all. */
const FIRE = {
  scheduleWrites: 1,
  executionWrites: 2,
  /** Its job: by the scanner in a batch, by the executor consistently. */
  jobReads: 1.5,
};
const MESSAGES_A_BATCH = 10;
/** Requests to SQS for one full batch: sent, received, deleted. */
const REQUESTS_A_BATCH = 3;
/** Answers of targets that the page reckons with, in seconds. */
export const TARGET_SEC = [0.05, 1, 10] as const;
/** As many as a stage may have (`lib/stage-config.ts`). */
const MAX_SHARDS = 256;

export interface Demand {
  firesPerMinute: number;
  firesPerSec: number;
  shards: number;
  entriesAShard: number;
  /** Of its minute, for one scanner. */
  scanSec: number;
  scheduleWritesPerSec: number;
  executionWritesPerSec: number;
  jobReadsPerSec: number;
  sqsRequestsPerSec: number;
  /** Executors at work at once, and messages in their hands, by how long targets take. */
  executors: { targetSec: number; concurrency: number; inFlight: number; minutesToScale: number }[];
}

/** Shards that hold so many fires a minute: a power of two, so that raising them later splits each in equal parts. */
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
        minutesToScale: Math.max(0, (concurrency - LIMITS.sourceStart) / LIMITS.sourceMorePerMinute),
      };
    }),
  };
}

/** How much of a limit is used, and at how many fires a minute it would be all used. */
export interface Use {
  limit: string;
  demand: number;
  allowed: number;
  share: number;
  bindsAt: number;
}

/** The limits of a steady load whose targets answer in `targetSec`, the tightest first. */
export function usesOf(demand: Demand, targetSec: number): Use[] {
  const executors = demand.executors.find((one) => one.targetSec === targetSec)!;
  const limits: [string, number, number][] = [
    [
      'Executions, writes a second of a table (can be raised)',
      demand.executionWritesPerSec,
      LIMITS.tableWritesPerSec,
    ],
    [
      'Schedule, writes a second of a table (can be raised)',
      demand.scheduleWritesPerSec,
      LIMITS.tableWritesPerSec,
    ],
    ['Jobs, reads a second of a table (can be raised)', demand.jobReadsPerSec, LIMITS.tableReadsPerSec],
    [
      'Lambda, executors at once of an account (can be raised)',
      executors.concurrency,
      LIMITS.accountConcurrency,
    ],
    ['Lambda, batches at once of one queue', executors.concurrency, LIMITS.sourceConcurrency],
    ['SQS, messages in flight of one queue', executors.inFlight, LIMITS.queueInFlight],
  ];
  return limits
    .map(([limit, needed, allowed]) => {
      const share = needed / allowed;
      return { limit, demand: needed, allowed, share, bindsAt: demand.firesPerMinute / share };
    })
    .sort((a, b) => b.share - a.share);
}
