import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { INVARIANTS } from '../../simulation/violation';

const ROOT = join(__dirname, '../../..');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const rows = textOf('test/README.md')
  .split('## Where a promise is tested')[1]!
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, promise = '', files = '', invariants = '']) => ({
    promise,
    files: namesIn(files),
    invariants: namesIn(invariants),
  }));

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

test('each section of the guarantees has a line that says where it is tested', () => {
  const sections = [...textOf('docs/guarantees.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect([...rows.map(({ promise }) => promise), 'What is not promised']).toEqual(sections);
});

test.each(rows.map((row) => [row.promise, row] as const))('%s', (_, { files, invariants }) => {
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(join(ROOT, 'test', file)))).toEqual([]);
  expect(invariants.filter((name) => !(INVARIANTS as readonly string[]).includes(name))).toEqual([]);
});
