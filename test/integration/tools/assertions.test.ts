import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHECKOUT_DIR = join(__dirname, '../../..');

const TESTS = `
test('expects', () => expect(1).toBe(1));
test('expects nothing', () => undefined);
test('expects of no item', () => [].forEach((item) => expect(item).toBe(1)));
test('expects in a callback that never runs', () => void [() => expect(1).toBe(2)]);
test('expects after a wait', async () => { await null; expect(1).toBe(1); });
`;

interface Results {
  testResults: { assertionResults: { title: string; status: string }[] }[];
}

test('a test in which no expectation was met or missed fails', () => {
  const rootDir = mkdtempSync(join(tmpdir(), 'quarterjack-assertions-'));
  try {
    writeFileSync(join(rootDir, 'any.test.js'), TESTS);
    const setupFilesAfterEnv = [join(CHECKOUT_DIR, 'test/setup-assertions.js')];
    const config = JSON.stringify({ rootDir, transform: {}, setupFilesAfterEnv });
    const jest = join(CHECKOUT_DIR, 'node_modules/jest/bin/jest.js');
    const { stdout } = spawnSync(process.execPath, [jest, '--json', '--config', config], {
      cwd: rootDir,
      encoding: 'utf8',
    });
    const { assertionResults } = (JSON.parse(stdout) as Results).testResults[0]!;
    expect(assertionResults.map(({ title, status }) => [title, status])).toEqual([
      ['expects', 'passed'],
      ['expects nothing', 'failed'],
      ['expects of no item', 'failed'],
      ['expects in a callback that never runs', 'failed'],
      ['expects after a wait', 'passed'],
    ]);
  } finally {
    rmSync(rootDir, { recursive: true });
  }
});
