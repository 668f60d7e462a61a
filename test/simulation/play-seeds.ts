import { IS_DEEP } from '../support/deep';
import { type Mode, planOf } from './run-plan';
import { simulate } from './simulate';

/** The seeds that are played, the first and the last of each mode. */
const SEEDS: Record<Mode, readonly [first: number, last: number]> = IS_DEEP
  ? { safety: [1, 200], liveness: [1001, 1100] }
  : { safety: [1, 40], liveness: [1001, 1040] };
/** Every tenth seed is played twice: the same seed must give the same log, record by record. */
const TWICE_EVERY = 10;
/** For one seed, which may be played twice. */
const TIMEOUT_MS = 120_000;

/**
 * Tests that each seed of one half breaks no invariant. Jest runs files side by side, so each half has its
 * own file.
 */
export function playSeeds(mode: Mode, half: 1 | 2): void {
  const [first, last] = SEEDS[mode];
  const middle = Math.floor((first + last) / 2);
  const [from, to] = half === 1 ? [first, middle] : [middle + 1, last];
  const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);

  test.each(seeds)(
    `${mode}: seed %i breaks no invariant`,
    async (seed) => {
      const { violations, log, hash } = await simulate(planOf(seed, mode));
      expect(violations).toEqual([]);
      expect(log.records.length).toBeGreaterThan(100);
      if (seed % TWICE_EVERY > 0) return;
      const again = await simulate(planOf(seed, mode));
      expect(again.hash).toBe(hash);
    },
    TIMEOUT_MS,
  );
}
