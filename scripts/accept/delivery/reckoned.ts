import { secondsFor } from '../../../bench/capacity/ramp';
import { poolsOf } from '../site/pools';

/** Seconds that an executor works on a batch, as docs/capacity.md assumes for its bursts. */
const BATCH_SEC = 0.5;
/** The priority of jobs that say nothing. */
const LANE = 'medium';

/**
 * What docs/capacity.md reckons for a burst of the stage, beside what was measured: it is no promise. Seconds
 * until a half and 99 of 100 are done, in a queue that was idle.
 */
export function reckoned(stage: string, jobs: number): string {
  const maxConcurrency = poolsOf(stage).default!.maxConcurrency[LANE]!;
  const [p50, p99] = [0.5, 0.99].map((share) =>
    secondsFor(jobs * share, { maxConcurrency, batchSec: BATCH_SEC }).toFixed(1),
  );
  return `reckoned: p50 ${p50} s, p99 ${p99} s`;
}
