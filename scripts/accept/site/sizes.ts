/** How much a run of the checks does. */
export interface Sizes {
  /** Messages with a delay, and their longest delay in seconds. */
  delays: { messages: number; longestSec: number };
  /** One-time jobs at random instants of `overMs`, made `aheadMs` before the first. */
  spread: { jobs: number; aheadMs: number; overMs: number };
  /** Jobs with an interval. */
  intervals: { jobs: number; everyMs: number; overMs: number };
  /** One-time jobs that are due in one second, in one run after the other. */
  bursts: readonly number[];
  /** Lone jobs, this long one after the other. */
  lone: { jobs: number; apartMs: number };
  /** How long nothing may start in maintenance mode. */
  silenceMs: number;
  /** How long a check waits for what it expects. */
  patienceMs: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Jobs made seven minutes ahead are found by the scanner, whatever the horizon. */
export const AWS_SIZES: Sizes = {
  delays: { messages: 600, longestSec: 60 },
  spread: { jobs: 600, aheadMs: 7 * MINUTE_MS, overMs: 10 * MINUTE_MS },
  intervals: { jobs: 100, everyMs: 5 * SECOND_MS, overMs: 5 * MINUTE_MS },
  bursts: [100, 1_000, 10_000],
  lone: { jobs: 5, apartMs: 20 * MINUTE_MS },
  silenceMs: 2 * MINUTE_MS,
  patienceMs: 5 * MINUTE_MS,
};

/** Sizes for a run of a few seconds: it proves the checks and the pipeline, and no figure of AWS. */
export const LOCAL_SIZES: Sizes = {
  delays: { messages: 40, longestSec: 2 },
  spread: { jobs: 20, aheadMs: 3 * SECOND_MS, overMs: 3 * SECOND_MS },
  intervals: { jobs: 3, everyMs: SECOND_MS, overMs: 3 * SECOND_MS },
  bursts: [30],
  lone: { jobs: 0, apartMs: 0 },
  silenceMs: 1_500,
  patienceMs: MINUTE_MS,
};
