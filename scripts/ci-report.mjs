/**
 * Reads reports of `jest --json`.
 *
 * - `again FILE` prints the suites to run once more: at most three, all of `test/e2e`; else none.
 * - `flaky COUNTS FILE AGAIN` prints the suites that failed in FILE and passed in AGAIN. It counts them in
 *   the file COUNTS, which has how often each was flaky and when last.
 * - `count FILE...` prints `<n> passed, <n> failed`. Suites of a later file replace those of earlier ones.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const [command, ...given] = process.argv.slice(2);
const [counts, ...files] = command === 'flaky' ? given : ['', ...given];
const [first, ...later] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')).testResults);

const namesOf = (suites, wanted) =>
  suites.filter(({ status }) => status === wanted).map(({ name }) => relative('.', name));
const failed = namesOf(first, 'failed');

const of = (suites, status) =>
  suites.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;

/** If more of them fail, a busy machine is not the cause. */
const MOST_AGAIN = 3;

function again() {
  if (failed.length <= MOST_AGAIN && failed.every((name) => name.startsWith('test/e2e/')))
    console.log(failed.join('\n'));
}

function flaky() {
  const passed = new Set(namesOf(later.flat(), 'passed'));
  const flakySuites = failed.filter((name) => passed.has(name));
  if (flakySuites.length === 0) return;
  const known = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : {};
  const last = new Date().toISOString().slice(0, 10);
  for (const name of flakySuites) known[name] = { times: (known[name]?.times ?? 0) + 1, last };
  writeFileSync(counts, `${JSON.stringify(known, null, 2)}\n`);
  for (const name of flakySuites) console.log(`flaky: ${name}, so far: ${known[name].times}`);
}

function count() {
  const suites = [...new Map([first, ...later].flat().map((suite) => [suite.name, suite])).values()];
  // A suite that could not even start has no tests to count, so it counts as one that failed.
  const broken = suites.filter((suite) => suite.status === 'failed' && of([suite], 'failed') === 0);
  console.log(`${of(suites, 'passed')} passed, ${of(suites, 'failed') + broken.length} failed`);
}

({ again, flaky, count })[command]();
