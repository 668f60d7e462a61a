import { type Mode, planOf } from './run-plan';
import { simulate } from './simulate';

/** Seeds whose log is made twice and compared: the same seed must give the same log, record by record. */
const TWICE_EVERY = 10;

/** One test for seeds in a row: no invariant is broken. Jest plays files side by side, so each has its share. */
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
