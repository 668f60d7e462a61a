import { LIMITS } from './limits';

const EXECUTOR_BATCH = 10;
const SEC_A_MINUTE = 60;

/** Executors of a queue that was idle until second 0, as Lambda's pollers start them. */
export interface Ramp {
  /** The most that run at once. */
  maxConcurrency: number;
  /** Seconds that an executor works on a batch. */
  batchSec: number;
}

/** Batches that Lambda adds to a queue's concurrency in a second. */
const MORE_PER_SEC = LIMITS.sourceMorePerMinute / SEC_A_MINUTE;

/** Executions that have been done `sec` seconds after the burst. */
export function executedBy(sec: number, { maxConcurrency, batchSec }: Ramp): number {
  const start = Math.min(LIMITS.sourceStart, maxConcurrency);
  const rampSec = Math.min(sec, (maxConcurrency - start) / MORE_PER_SEC);
  const busySec = start * rampSec + (MORE_PER_SEC * rampSec ** 2) / 2 + maxConcurrency * (sec - rampSec);
  return (busySec * EXECUTOR_BATCH) / batchSec;
}

/** Seconds until `executions` that were all due in second 0 are done: the inverse of `executedBy`. */
export function secondsFor(executions: number, { maxConcurrency, batchSec }: Ramp): number {
  const start = Math.min(LIMITS.sourceStart, maxConcurrency);
  const busySec = (executions * batchSec) / EXECUTOR_BATCH;
  const rampSec = (maxConcurrency - start) / MORE_PER_SEC;
  const inRamp = start * rampSec + (MORE_PER_SEC * rampSec ** 2) / 2;
  if (busySec > inRamp) return rampSec + (busySec - inRamp) / maxConcurrency;
  return (Math.sqrt(start ** 2 + 2 * MORE_PER_SEC * busySec) - start) / MORE_PER_SEC;
}
