import { lambdaRamp } from '../../local/sources/ramp';

const EXECUTOR_BATCH = 10;
const SEC_A_MINUTE = 60;

/** Executors of a queue that was idle until second 0, as Lambda's pollers start them. */
export interface Ramp {
  /** The most that run at once. */
  maxConcurrency: number;
  /** Seconds that an executor works on a batch. */
  batchSec: number;
  /** Event pollers that are kept ready. @default none: Lambda's own start with few batches */
  pollers?: number;
}

/** Executors at the first second, and how many are added in each second. */
function paceOf({ maxConcurrency, pollers }: Ramp): { start: number; morePerSec: number } {
  const { start, morePerMinute } = lambdaRamp({ maxConcurrency, minPollers: pollers });
  return { start, morePerSec: morePerMinute / SEC_A_MINUTE };
}

/** Executions that have been done `sec` seconds after the burst. */
export function executedBy(sec: number, ramp: Ramp): number {
  const { maxConcurrency, batchSec } = ramp;
  const { start, morePerSec } = paceOf(ramp);
  const rampSec = Math.min(sec, (maxConcurrency - start) / morePerSec);
  const busySec = start * rampSec + (morePerSec * rampSec ** 2) / 2 + maxConcurrency * (sec - rampSec);
  return (busySec * EXECUTOR_BATCH) / batchSec;
}

/** Seconds until `executions` that were all due in second 0 are done: the inverse of `executedBy`. */
export function secondsFor(executions: number, ramp: Ramp): number {
  const { maxConcurrency, batchSec } = ramp;
  const { start, morePerSec } = paceOf(ramp);
  const busySec = (executions * batchSec) / EXECUTOR_BATCH;
  const rampSec = (maxConcurrency - start) / morePerSec;
  const inRamp = start * rampSec + (morePerSec * rampSec ** 2) / 2;
  if (busySec > inRamp) return rampSec + (busySec - inRamp) / maxConcurrency;
  return (Math.sqrt(start ** 2 + 2 * morePerSec * busySec) - start) / morePerSec;
}
