import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../mutants/mutant';
import { INTERLEAVINGS, RUN_INVARIANTS } from '../../simulation/checks/run-invariants';
import { runs } from '../../simulation/mutations/runs';
import { INVARIANTS } from '../../simulation/violation';

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

// The simulation checks them, and `checker.test.ts` breaks each check once. Here the list is kept complete.
test.each(RUN_INVARIANTS.map((one) => [`${one.id} ${one.name}: ${one.says}`, one.provenBy] as const))(
  '%s',
  (_, { checks = [], tests = [] }) => {
    expect(checks.length + tests.length).toBeGreaterThan(0);
    for (const invariant of checks) expect(INVARIANTS).toContain(invariant);
    for (const [file, text] of tests) expect(textOf(file)).toContain(text);
  },
);

test('there are eighteen invariants, and they name all checks of runs', () => {
  expect(RUN_INVARIANTS.map(({ id }) => id)).toEqual(
    Array.from({ length: 18 }, (_, index) => `W${index + 1}`),
  );
  const ownChecks = new Set(runs.map(([invariant]) => invariant));
  const listed = new Set(RUN_INVARIANTS.flatMap(({ provenBy }) => provenBy.checks ?? []));
  expect([...ownChecks].filter((invariant) => !listed.has(invariant))).toEqual([]);
});

test('there are 33 interleavings', () => {
  expect(new Set(INTERLEAVINGS.map(({ name }) => name)).size).toBe(33);
});

test.each(INTERLEAVINGS)('the interleaving $name has a test in $file', ({ name, file }) => {
  expect([name, textOf(file).includes(`'${name}:`)]).toEqual([name, true]);
});
