import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../mutants/mutant';
import { PROFILES } from '../../simulation/profiles/profiles';
import { INVARIANTS } from '../../simulation/violation';

/** The first cells of the rows of the tables in docs/reliability.md, without marks of code. */
const cells = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| ([^|]+) \|/.exec(line)?.[1]!.trim() ?? []);

test('docs/reliability.md says what each profile plays', () => {
  expect(cells.filter((cell) => PROFILES.has(cell.replaceAll('`', ''))).toSorted()).toEqual(
    [...PROFILES.keys()].map((name) => `\`${name}\``).toSorted(),
  );
});

test('docs/reliability.md says what each invariant promises', () => {
  const named = new Set(cells.flatMap((cell) => cell.split(', ')));
  expect(INVARIANTS.filter((name) => !named.has(name))).toEqual([]);
});
