import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const SCRIPT = join(ROOT, 'scripts/ci-report.mjs');

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ci-report-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A report of jest, with the suites that failed and those that passed. */
function report(name: string, suites: Record<string, 'passed' | 'failed'>): string {
  const file = join(dir, name);
  const testResults = Object.entries(suites).map(([suite, status]) => ({
    name: join(ROOT, suite),
    status,
    assertionResults: [{ status }],
  }));
  writeFileSync(file, JSON.stringify({ testResults }));
  return file;
}
const run = (...args: string[]) => spawnSync('node', [SCRIPT, ...args], { cwd: ROOT, encoding: 'utf8' });

const FIRST = { 'test/e2e/jobs.test.ts': 'failed', 'test/e2e/kills.test.ts': 'failed' } as const;

test('a suite that fails and then passes is named, and counted in a file', () => {
  const first = report('first.json', FIRST);
  const again = report('again.json', { ...FIRST, 'test/e2e/jobs.test.ts': 'passed' });
  const counts = join(dir, 'flaky.json');
  expect(run('flaky', counts, first, again)).toMatchObject({
    status: 0,
    stdout: 'flaky: test/e2e/jobs.test.ts, so far: 1\n',
  });
  expect(run('flaky', counts, first, again).stdout).toBe('flaky: test/e2e/jobs.test.ts, so far: 2\n');
  expect(JSON.parse(readFileSync(counts, 'utf8'))).toEqual({
    'test/e2e/jobs.test.ts': { times: 2, last: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
  });
});

test('what fails again is not flaky', () => {
  const first = report('first.json', FIRST);
  expect(run('flaky', join(dir, 'flaky.json'), first, report('again.json', FIRST))).toMatchObject({
    status: 0,
    stdout: '',
  });
});

test.each<[string, Record<string, 'passed' | 'failed'>, string]>([
  ['two suites of whole runs', FIRST, 'test/e2e/jobs.test.ts\ntest/e2e/kills.test.ts\n'],
  ['another suite among them', { ...FIRST, 'test/unit/a.test.ts': 'failed' }, ''],
  ['more than three', { ...FIRST, 'test/e2e/a.test.ts': 'failed', 'test/e2e/b.test.ts': 'failed' }, ''],
])('which suites run again: %s', (_, suites, expected) => {
  expect(run('again', report('first.json', suites)).stdout).toBe(expected);
});

test('a later report replaces what an earlier one says of a suite', () => {
  const again = report('again.json', { 'test/e2e/jobs.test.ts': 'passed' });
  const said = execFileSync('node', [SCRIPT, 'count', report('first.json', FIRST), again], { cwd: ROOT });
  expect(said.toString()).toBe('1 passed, 1 failed\n');
});
