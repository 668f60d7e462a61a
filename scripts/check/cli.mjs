/**
 * `npm run check`: the checks to run first, in less than a minute. Unit tests run if a change since the last
 * green check can reach them; with `-- --all`, all of them run. Prints how long each step took, and the whole
 * output of each step that failed.
 */
import { spawn } from 'node:child_process';

import { hashFiles, readHashes, testsFor, writeHashes } from './changed-files.mjs';

/** What passed last: it goes with the installed packages, so that another version of one runs all tests. */
const GREEN = 'node_modules/.cache/check.json';

/**
 * The compiler and the linter of types are Go programs that live for seconds. A third of their time goes into
 * collecting garbage; without that, they need one gigabyte as before.
 */
const ENV = { GOGC: 'off', GOMEMLIMIT: '3GiB', ...process.env };

const secondsSince = (startMs) => `${((performance.now() - startMs) / 1_000).toFixed(1)} s`;

/** Whether the script ends with 0. */
async function run([script, ...args]) {
  const startMs = performance.now();
  const argv = ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])];
  const child = spawn('npm', argv, { stdio: ['ignore', 'pipe', 'pipe'], env: ENV });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${script.padEnd(12)}  ${secondsSince(startMs)}`);
  if (code !== 0) console.log(said.trimEnd());
  return code === 0;
}

/** All steps, though one fails: the next one may have more to say. */
async function runLane(steps) {
  let allPassed = true;
  for (const step of steps) allPassed = (await run(step)) && allPassed;
  return allPassed;
}

/** The steps of the unit tests, and what is said of them. */
function unitSteps(tests) {
  if (tests === 'all') return { said: 'all unit tests', steps: [['test:unit']] };
  if (tests.length === 0) return { said: 'no unit test: nothing has changed', steps: [] };
  const related = ['test:unit', '--passWithNoTests', '--findRelatedTests', ...tests];
  return { said: `unit tests that ${tests.length} changed modules reach`, steps: [related] };
}

const startMs = performance.now();
const hashes = hashFiles();
const { said, steps } = unitSteps(
  process.argv.includes('--all') ? 'all' : testsFor(readHashes(GREEN), hashes),
);
console.log(`check: ${said}`);
const passed = await Promise.all([runLane([['types'], ['lint'], ['format:check']]), runLane(steps)]);
if (passed[1]) writeHashes(GREEN, hashes);
console.log(`check: ${secondsSince(startMs)}`);
process.exitCode = passed.every(Boolean) ? 0 : 1;
