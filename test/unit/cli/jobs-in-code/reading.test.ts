import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readerOf } from '../../../../cli/jobs-in-code/reading';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'quarterjack-reading-'))));
afterEach(() => rmSync(dir, { recursive: true }));

/** The project has packages of these names. */
function has(...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(dir, 'node_modules', name), { recursive: true });
    writeFileSync(join(dir, 'node_modules', name, 'index.js'), '');
  }
}

const OLD = { version: '20.19.0', stripsTypes: false };
const NEW = { version: '22.18.0', stripsTypes: true };

test.each([
  ['jobs.js', [], OLD, 'node'],
  ['jobs.mjs', ['tsx'], OLD, 'node'],
  ['jobs.ts', ['esbuild', 'tsx'], OLD, 'tsx'],
  ['jobs.ts', ['esbuild'], NEW, 'esbuild'],
  ['jobs.tsx', ['esbuild'], OLD, 'esbuild'],
  ['jobs.mts', [], NEW, 'node'],
])('%s in a project with %j: %o reads it by %s', (file, names, machine, reader) => {
  has(...names);
  expect(readerOf(join(dir, file), machine)).toBe(reader);
});

test.each([
  [
    'jobs.ts',
    OLD,
    'Node.js 20.19.0 reads no TypeScript by itself: npm i -D tsx, or use Node.js 22.18 or newer',
  ],
  ['jobs.tsx', NEW, 'Node.js reads no JSX by itself: npm i -D tsx'],
  ['jobs.yaml', NEW, 'expected a module of TypeScript or JavaScript, such as src/jobs.ts'],
  ['jobs.py', NEW, '; of Python, a manifest: python3 -m quarterjack define jobs.py --out jobs.json'],
])('%s without a tool is refused, and the message has the cure', (file, machine, message) => {
  expect(() => readerOf(join(dir, file), machine)).toThrow(message);
});
