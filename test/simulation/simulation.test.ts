import { type Mode, planOf } from './run-plan';
import { simulate } from './simulate';

/** A few of the seeds that `npm run simulate` plays by the hundred, those of each mode in one test. */
const SEEDS: Record<Mode, readonly number[]> = {
  safety: range(1, 20),
  liveness: range(1_002, 1_013),
};

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

test.each(['safety', 'liveness'] as const)(
  '%s: no seed breaks an invariant',
  async (mode) => {
    for (const seed of SEEDS[mode]) {
      const { violations, log } = await simulate(planOf(seed, mode));
      expect({ seed, violations }).toEqual({ seed, violations: [] });
      expect(log.records.length).toBeGreaterThan(100);
    }
  },
  60_000,
);

test('the same seed gives the same log, record by record', async () => {
  const [first, second] = [await simulate(planOf(3, 'safety')), await simulate(planOf(3, 'safety'))];
  expect(second.hash).toBe(first.hash);
  const other = await simulate(planOf(5, 'safety'));
  expect(other.hash).not.toBe(first.hash);
}, 30_000);
