import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const FOLDERS = ['cli', 'client', 'lambdas', 'lib', 'local', 'scripts'];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|mjs|cjs)$/.test(path) && !path.endsWith('schema.d.ts'))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8')),
)
  .join('\n')
  // A long text is written in parts: 'a ' + 'b'.
  .replaceAll(/(['`"]) \+\s+(['`"])/g, '');

/** The first cell of each row of the tables, with all its texts in code. */
const symptoms = [
  ...readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8').matchAll(/^\| (.+?) +\|/gm),
].map(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
/** The parts of a text between what varies. Shorter ones say nothing. */
const partsOf = (text: string): string[] =>
  text
    .split('…')
    .map((part) => part.trim())
    .filter((part) => part.length >= 4);

test('every error of docs/troubleshooting.md stands in the code, word for word', () => {
  const parts = symptoms.flat().flatMap((text) => partsOf(text));
  expect(parts.length).toBeGreaterThan(60);
  expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
});

/** The first lines of the reference list all commands. */
const commands = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8').split('```')[1] ?? '';

test('every command that it names exists', () => {
  const page = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');
  const used = [...page.matchAll(/`?quarterjack ([a-z][a-z-]+)/g)].map(([, name = '']) => name);
  expect(new Set(used).size).toBeGreaterThan(5);
  expect(used.filter((name) => !new RegExp(`\\b${name}\\b`).test(commands))).toEqual([]);
});
