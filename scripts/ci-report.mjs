/**
 * Reads reports of `jest --json`.
 *
 * - `again FILE` prints the suites to run once more: at most three, all of `test/e2e`; else none.
 * - `count FILE...` prints `<n> passed, <n> failed`. Suites of a later file replace those of earlier ones.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [command, ...files] = process.argv.slice(2);
const [first, ...later] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')).testResults);

const failed = first.filter(({ status }) => status === 'failed').map(({ name }) => relative('.', name));

const of = (suites, status) =>
  suites.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;

/** If more of them fail, a busy machine is not the cause. */
const MOST_AGAIN = 3;

if (command === 'again') {
  if (failed.length <= MOST_AGAIN && failed.every((name) => name.startsWith('test/e2e/')))
    console.log(failed.join('\n'));
} else {
  const suites = [...new Map([first, ...later].flat().map((suite) => [suite.name, suite])).values()];
  // A suite that could not even start has no tests to count, so it counts as one that failed.
  const broken = suites.filter((suite) => suite.status === 'failed' && of([suite], 'failed') === 0);
  console.log(`${of(suites, 'passed')} passed, ${of(suites, 'failed') + broken.length} failed`);
}
