/**
 * `npm run check`: the checks to run first, in less than a minute. Code is linted, and unit tests run, if a
 * change since the last green check concerns them; with `-- --all`, all of them. Prints how long each step
 * took, and the whole output of each step that failed.
 */
import { spawn } from 'node:child_process';

import { hashFiles, lintedFor, pageReaders, readHashes, testsFor, writeHashes } from './changed-files.mjs';
import { addSeconds } from './times.mjs';

/** What passed last: it goes with the installed packages, so that another version of one runs everything. */
const CACHE = 'node_modules/.cache';
const TESTED = `${CACHE}/check.json`;
const LINTED = `${CACHE}/check-lint.json`;
const TIMES = `${CACHE}/check-times.json`;
/** On two cores that do nothing else. */
const GOAL_SEC = { warm: 35, cold: 120 };

/**
 * The compiler and the linter of types are Go programs that live for seconds. A third of their time goes into
 * collecting garbage; without that, they need one gigabyte as before.
 */
const ENV = { GOGC: 'off', GOMEMLIMIT: '3GiB', ...process.env };

const secondsSince = (startMs) => (performance.now() - startMs) / 1_000;

/** Whether the script ends with 0. */
async function run([script, ...args]) {
  const startMs = performance.now();
  const argv = ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])];
  const child = spawn('npm', argv, { stdio: ['ignore', 'pipe', 'pipe'], env: ENV });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  const seconds = secondsSince(startMs).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${script.padEnd(12)}  ${seconds} s`);
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

/** The steps of the lint of code, and what is said of them. */
function lintSteps(linted) {
  if (linted === 'all') return { said: 'lint of all code', steps: [['lint:code']] };
  if (linted.length === 0) return { said: 'lint of no code', steps: [] };
  return { said: `lint of ${linted.length} changed modules`, steps: [['lint:code', ...linted]] };
}

/** What is linted, and which unit tests run. */
function scopeOf(hashes) {
  if (process.argv.includes('--all')) return { tests: 'all', linted: 'all' };
  return {
    tests: testsFor(readHashes(TESTED), hashes, pageReaders),
    linted: lintedFor(readHashes(LINTED), hashes),
  };
}

/**
 * Two lanes of checks, as many as small machines have processors. Where all unit tests run, they take one
 * lane, and the checks the other.
 */
async function runLanes({ tests, linted }) {
  const unit = unitSteps(tests);
  const code = lintSteps(linted);
  console.log(`check: ${unit.said}, ${code.said}`);
  const checks = [['types'], ['format:check']];
  const borders = [['lint:borders']];
  if (tests === 'all') {
    const inOne = async () => [await runLane(code.steps), await runLane([...borders, ...checks])];
    const [[lintPassed, restPassed], unitPassed] = await Promise.all([inOne(), runLane(unit.steps)]);
    return { lintPassed, unitPassed, restPassed };
  }
  const first = async () => [await runLane(code.steps), await runLane(borders)];
  const second = async () => [await runLane(checks), await runLane(unit.steps)];
  const [[lintPassed, bordersPassed], [checksPassed, unitPassed]] = await Promise.all([first(), second()]);
  return { lintPassed, unitPassed, restPassed: bordersPassed && checksPassed };
}

const startMs = performance.now();
const hashes = hashFiles();
const scope = scopeOf(hashes);
const { lintPassed, unitPassed, restPassed } = await runLanes(scope);
if (unitPassed) writeHashes(TESTED, hashes);
if (lintPassed) writeHashes(LINTED, hashes);
const seconds = secondsSince(startMs);
const isGreen = lintPassed && unitPassed && restPassed;
const kind = scope.tests === 'all' ? 'cold' : 'warm';
const { median, count } = addSeconds(TIMES, kind, isGreen ? seconds : undefined);
const compared = count > 0 ? `; ${kind}, median of the last ${count}: ${median.toFixed(1)} s` : '';
console.log(`check: ${seconds.toFixed(1)} s${compared}; goal on two idle cores: ${GOAL_SEC[kind]} s`);
process.exitCode = isGreen ? 0 : 1;
