import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { planOf, type RunPlan } from './run-plan';
import { simulate } from './simulate';

const FOUND = join(__dirname, 'found');

/**
 * Runs that once broke an invariant, as found or shrunk. They are files, because a seed's run changes with
 * the draws.
 */
test.each(readdirSync(FOUND))('%s, which once broke an invariant, breaks none', async (file) => {
  const plan = JSON.parse(readFileSync(join(FOUND, file), 'utf8')) as RunPlan;
  expect((await simulate(plan)).violations).toEqual([]);
});

test('different seeds give different logs', async () => {
  const [one, other] = [await simulate(planOf(3, 'safety')), await simulate(planOf(5, 'safety'))];
  expect(other.hash).not.toBe(one.hash);
});
