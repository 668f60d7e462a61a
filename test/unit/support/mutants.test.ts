import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { occurrencesOf, ROOT } from '../../mutants/mutant';
import { MUTANTS } from '../../mutants/mutants';

// `npm run test:mutants` runs them. Here the list is only kept from going stale.
test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  'the code to change, and the test, exist: %s',
  (_, mutant) => {
    expect(occurrencesOf(mutant)).toBe(1);
    expect(mutant.replace).not.toBe(mutant.find);
    expect(existsSync(join(ROOT, mutant.killedBy))).toBe(true);
  },
);

test('each mutant has a name of its own', () => {
  expect(MUTANTS.length).toBeGreaterThan(50);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});
