import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { concernedBy, type Mutant, occurrencesOf, ROOT } from '../../mutants/mutant';
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

test('a changed file concerns the mutants in it, and those that its tests kill', () => {
  const of = (file: string, killedBy: string): Mutant => ({
    name: file,
    file,
    killedBy,
    find: '',
    replace: '',
  });
  const mutants = [of('a.ts', 'a.test.ts'), of('b.ts', 'a.test.ts'), of('c.ts', 'c.test.ts')];
  const concerned = (...files: string[]) => concernedBy(new Set(files), mutants).map(({ name }) => name);
  expect(concerned('b.ts')).toEqual(['b.ts']);
  expect(concerned('a.test.ts', 'd.ts')).toEqual(['a.ts', 'b.ts']);
});

test('each mutant has a name of its own', () => {
  expect(MUTANTS.length).toBeGreaterThan(50);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});
