/**
 * Runs tests on the oldest and the newest supported version of Node.js, except the one that runs this. What
 * only breaks between those two is for `--deep`, which takes all. The tests are those that a version can
 * break: the command line, the client, calls of targets, and a local run in which jobs arrive. Most commands
 * and importers only compute texts, and `dev` and `define` wait much, so their tests run with `--deep` alone.
 * What asks Node.js for dates, money, widths or signals always runs.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { nodeOf, otherMajors, outerMajors } from '../node-versions.mjs';
import { tryNodes } from './try-nodes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const isDeep = process.argv.includes('--deep');
const named = process.argv.slice(2).filter((arg) => arg !== '--deep');

const SUITES = [
  {
    name: 'a local run',
    args: ['test/e2e/tools.test.ts', '--testNamePattern', 'a job made'],
  },
  {
    name: 'command line, client and targets',
    args: [
      'test/unit/cli/main.test.ts',
      'test/unit/cli/hostile-input.test.ts',
      'test/unit/cli/terminal',
      'test/unit/cli/commands/(cost|interrupt|login)',
      ...(isDeep ? ['test/unit/cli/commands', 'test/unit/cli/import'] : []),
      'test/unit/client',
      isDeep ? 'test/integration/cli' : 'test/integration/cli/(?!dev|define)',
      'test/integration/delivery',
    ],
  },
];

/** The versions run side by side. */
const WORKERS = ['--maxWorkers', String(availableParallelism())];

/**
 * `npm` and the shebangs of programs take the first `node` on the path. What a suite prints comes at its end,
 * lest that of two versions is mixed.
 */
async function run(program, { args }) {
  const env = { ...process.env, PATH: dirname(program) + delimiter + process.env.PATH };
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(program, [jest, ...args, ...WORKERS], { cwd: root, env });
  const [code, ...texts] = await Promise.all([
    new Promise((done) => child.once('exit', done)),
    text(child.stdout),
    text(child.stderr),
  ]);
  process.stdout.write(texts.join(''));
  return code ?? 1;
}

process.exitCode = await tryNodes({
  majors: named.length > 0 ? named : isDeep ? otherMajors() : outerMajors(),
  suites: SUITES,
  nodeOf: (major) => nodeOf(join(root, '.quarterjack/nodes'), major),
  run,
  print: (line) => process.stdout.write(`${line}\n`),
  nowMs: Date.now,
});
