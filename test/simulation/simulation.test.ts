import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { planOf, type RunPlan } from './run-plan';
import { simulate } from './simulate';

const FOUND = join(__dirname, 'found');

/** Runs that once broke an invariant, as they were found or shrunk: a seed means another run once the draws change. */
test.each(readdirSync(FOUND))(
  '%s, which was found broken, holds',
  async (file) => {
    const plan = JSON.parse(readFileSync(join(FOUND, file), 'utf8')) as RunPlan;
    expect((await simulate(plan)).violations).toEqual([]);
  },
  120_000,
);

test('different seeds give different logs', async () => {
  const [one, other] = [await simulate(planOf(3, 'safety')), await simulate(planOf(5, 'safety'))];
  expect(other.hash).not.toBe(one.hash);
}, 120_000);
