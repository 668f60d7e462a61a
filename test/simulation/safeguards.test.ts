import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { CLAIM_FAULTS, SAFEGUARDS } from '../mutants/safeguards';
import { V8_FLAGS } from '../support/v8-flags.cjs';

const MAIN = join(__dirname, 'main.mjs');
/** The first seed is enough, unless timelines have changed since it was chosen. */
const SEEDS = 40;

/** Plays seeds of a mode or profile with a fault in the code, until one breaks a promise. */
function playFaulty(mutant: string, kind: string, seed: number): { stdout: string; status: number | null } {
  const range = `${kind}:${seed}-${seed + SEEDS - 1}`;
  const args = [...V8_FLAGS, MAIN, '--mutant', mutant, '--play', range, '--no-shrink'];
  const env = { ...process.env, NODE_OPTIONS: '' };
  return spawnSync(process.execPath, args, { env, encoding: 'utf8' });
}

test('there are eleven safeguards', () => {
  expect(new Set(SAFEGUARDS.map(({ mutant }) => mutant)).size).toBe(11);
});

test.each(SAFEGUARDS)('without it, a seed breaks a promise: $says', ({ mutant, profile, seed }) => {
  const { stdout, status } = playFaulty(mutant, profile, seed);
  expect(stdout).toMatch(new RegExp(`^seed \\d+, ${profile}, log .*: breaks `));
  expect(status).toBe(1);
});

test.each(CLAIM_FAULTS)(
  'with the fault, a seed breaks $breaks: $mutant',
  ({ mutant, breaks, kind, seed }) => {
    const { stdout, status } = playFaulty(mutant, kind, seed);
    expect(stdout).toMatch(new RegExp(`^  ${breaks}: `, 'm'));
    expect(status).toBe(1);
  },
);
