import { IS_DEEP } from '../support/deep';
import { PROFILES } from './profiles/profiles';
import { simulate } from './simulate';

/** Seeds of each profile, from 1. One takes up to two seconds, so a usual run plays few of them. */
const SEEDS = IS_DEEP ? 200 : 5;
const FILES = 4;
const TIMEOUT_MS = 120_000;

/** A test for each seed of some profiles: no invariant is broken. Jest plays the files side by side. */
export function playProfiles(file: number): void {
  const ofFile = [...PROFILES].filter((_, index) => index % FILES === file - 1);
  const runs = ofFile.flatMap(([name, planOf]) =>
    Array.from({ length: SEEDS }, (_, index) => ({ name, seed: index + 1, planOf })),
  );

  test.each(runs)(
    'profile $name: seed $seed breaks no invariant',
    async ({ seed, planOf }) => {
      const { violations, strikes } = await simulate(planOf(seed));
      expect(violations).toEqual([]);
      expect(strikes).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
}
