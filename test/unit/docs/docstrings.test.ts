import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const ROOTS = ['bin', 'cli', 'client', 'console', 'lambdas', 'lib', 'local', 'scripts'];
const CODE = /\.(?:tsx?|mjs)$/;

/** An editor shows a comment without the one before it. */
const RELIES_ON_NEIGHBOUR = /^\s*\/\*\*(?:\s*\n\s*\*)? The same\b/m;

const filesOf = (root: string): string[] =>
  readdirSync(join(ROOT, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && CODE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'));

test('the comment of a name says what it is, without its neighbour', () => {
  const files = ROOTS.flatMap(filesOf);
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.filter((file) => RELIES_ON_NEIGHBOUR.test(readFileSync(file, 'utf8')))).toEqual([]);
});
