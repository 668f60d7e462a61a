import { type Mode, planOf } from './run-plan';
import { simulate } from './simulate';

/** Every tenth seed is played twice: the same seed must give the same log, record by record. */
const TWICE_EVERY = 10;

/**
 * One test for consecutive seeds: no invariant is broken. Jest runs files in parallel, so each has some
 * seeds.
 */
export function playSeeds(mode: Mode, first: number, count: number): void {
  test(`${mode}: seeds ${first} to ${first + count - 1} break no invariant`, async () => {
    for (let seed = first; seed < first + count; seed++) {
      const { violations, log, hash } = await simulate(planOf(seed, mode));
      expect({ seed, violations }).toEqual({ seed, violations: [] });
      expect(log.records.length).toBeGreaterThan(100);
      if (seed % TWICE_EVERY > 0) continue;
      const again = await simulate(planOf(seed, mode));
      expect({ seed, hash: again.hash }).toEqual({ seed, hash });
    }
  }, 900_000);
}
