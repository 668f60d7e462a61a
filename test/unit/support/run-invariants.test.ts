import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../mutants/mutant';
import { INTERLEAVINGS, RUN_INVARIANTS } from '../../simulation/checks/run-invariants';
import { runs } from '../../simulation/mutations/runs';
import { INVARIANTS } from '../../simulation/violation';

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const PROVEN = RUN_INVARIANTS.filter(({ provenBy }) => provenBy !== undefined);

// The simulation checks them, and `checker.test.ts` breaks each check once. Here the list is kept complete.
test.each(PROVEN.map((one) => [`${one.id} ${one.name}: ${one.says}`, one.provenBy!] as const))(
  '%s',
  (_, { checks = [], tests = [] }) => {
    expect(checks.length + tests.length).toBeGreaterThan(0);
    for (const invariant of checks) expect(INVARIANTS).toContain(invariant);
    for (const [file, text] of tests) expect(textOf(file)).toContain(text);
  },
);

test('there are eighteen invariants, each with a proof or with what it comes with', () => {
  expect(RUN_INVARIANTS.map(({ id }) => id)).toEqual(
    Array.from({ length: 18 }, (_, index) => `W${index + 1}`),
  );
  for (const { provenBy, comesWith } of RUN_INVARIANTS)
    expect([provenBy, comesWith].filter((one) => one !== undefined)).toHaveLength(1);
  const ownChecks = new Set(runs.map(([invariant]) => invariant));
  const listed = new Set(PROVEN.flatMap(({ provenBy }) => provenBy!.checks ?? []));
  expect([...ownChecks].filter((invariant) => !listed.has(invariant))).toEqual([]);
});

const WITH_TESTS = INTERLEAVINGS.flatMap((one) => ('file' in one ? [[one.name, one.file] as const] : []));

test.each(WITH_TESTS)('the interleaving %s has a test in %s', (name, file) => {
  expect([name, textOf(file).includes(`'${name}:`)]).toEqual([name, true]);
});
