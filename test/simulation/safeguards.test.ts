import { spawnSync, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';

import { CLAIM_FAULTS, SAFEGUARDS } from '../mutants/safeguards';
import { V8_FLAGS } from '../support/v8-flags.cjs';

const MAIN = join(__dirname, 'main.mjs');
/** The first seed is enough, unless timelines have changed since it was chosen. */
const SEEDS = 40;

const TIMEOUT_MS = 600_000;
const STDIO: StdioOptions = ['ignore', 'pipe', 'inherit'];

/** What a process prints about each mutant. It plays seeds with the mutant, until one breaks a promise. */
const outputs = new Map<string, string | undefined>();

beforeAll(() => {
  const faults = [...SAFEGUARDS.map((one) => ({ ...one, kind: one.profile })), ...CLAIM_FAULTS];
  const commands = faults.map(({ mutant, kind, seed }) => {
    const range = `${kind}:${seed}-${seed + SEEDS - 1}`;
    return ['--mutant', mutant, '--play', range, '--no-shrink'];
  });
  const args = [...V8_FLAGS, MAIN, ...commands.flatMap((one) => ['--then', ...one]).slice(1)];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8', stdio: STDIO });
  // The last line about a mutant counts its seeds.
  const parts = stdout.split(/(?<=^\d+ seeds, .*)\n/m);
  for (const [index, { mutant }] of faults.entries()) outputs.set(mutant, parts[index]);
  expect(status).toBe(1);
}, TIMEOUT_MS);

test('there are eleven safeguards', () => {
  expect(new Set(SAFEGUARDS.map(({ mutant }) => mutant)).size).toBe(11);
});

test.each(SAFEGUARDS)('without it, a seed breaks a promise: $says', ({ mutant, profile }) => {
  expect(outputs.get(mutant)).toMatch(new RegExp(`^seed \\d+, ${profile}, log .*: breaks `));
});

test.each(CLAIM_FAULTS)('with the fault, a seed breaks $breaks: $mutant', ({ mutant, breaks }) => {
  expect(outputs.get(mutant)).toMatch(new RegExp(`^  ${breaks}: `, 'm'));
});
