import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHECKOUT_DIR = join(__dirname, '../../..');
const LIMIT_MS = 500;

const TESTS = `
const busyFor = (ms) => { const begin = process.cpuUsage(); while (process.cpuUsage(begin).user < ms * 1000); };
test('quick', () => busyFor(1));
test('computes', () => busyFor(${2 * LIMIT_MS}));
test('waits', () => new Promise((done) => setTimeout(done, ${2 * LIMIT_MS})));
test('fakes the clock', () => { jest.useFakeTimers(); jest.advanceTimersByTime(${2 * LIMIT_MS}); });
`;

interface Results {
  testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
}

test('a unit test that takes too long fails, whether it waits or computes', () => {
  const rootDir = mkdtempSync(join(tmpdir(), 'quarterjack-unit-limit-'));
  try {
    writeFileSync(join(rootDir, 'any.test.js'), TESTS);
    const config = {
      rootDir,
      transform: {},
      setupFilesAfterEnv: [join(CHECKOUT_DIR, 'test/setup-unit.js')],
      globals: { unitTestLimitMs: LIMIT_MS },
    };
    const { stdout } = spawnSync(
      process.execPath,
      [join(CHECKOUT_DIR, 'node_modules/jest/bin/jest.js'), '--json', '--config', JSON.stringify(config)],
      { cwd: rootDir, encoding: 'utf8' },
    );
    const { assertionResults } = (JSON.parse(stdout) as Results).testResults[0]!;
    expect(assertionResults.map(({ title, status }) => [title, status])).toEqual([
      ['quick', 'passed'],
      ['computes', 'failed'],
      ['waits', 'failed'],
      ['fakes the clock', 'passed'],
    ]);
    expect(assertionResults[1]!.failureMessages[0]).toMatch(/took \d+ ms, and a unit test may take 500 ms/);
  } finally {
    rmSync(rootDir, { recursive: true });
  }
});
