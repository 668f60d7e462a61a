import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { SAFEGUARDS } from '../mutants/safeguards';

const MAIN = join(__dirname, 'main.mjs');
/** The first seed is enough, unless timelines have changed since it was chosen. */
const SEEDS = 40;

test('there are eleven safeguards', () => {
  expect(new Set(SAFEGUARDS.map(({ mutant }) => mutant)).size).toBe(11);
});

test.each(SAFEGUARDS)('without it, a seed breaks a promise: $says', ({ mutant, profile, seed }) => {
  const seeds = ['--first-seed', String(seed), '--seeds', String(SEEDS)];
  const args = [MAIN, '--mutant', mutant, '--profile', profile, ...seeds, '--no-shrink'];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  expect(stdout).toMatch(new RegExp(`^seed \\d+, ${profile}, log .*: breaks `));
  expect(status).toBe(1);
});
