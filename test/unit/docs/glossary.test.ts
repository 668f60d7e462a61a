import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** The code that runs, the simulation of it, and the programs that users have. */
const sourceFiles = ['lambdas', 'test/simulation', 'client', 'cli']
  .flatMap((root) => readdirSync(join(ROOT, root), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
/** Without the stars of comments, so that a term may stand on two lines. */
const code = sourceFiles.join('\n').replaceAll(/\n\s*\*\s/g, ' ');

/** The terms of the table: each with what tells it from others of its name, `release (of work)`. */
const terms = readFileSync(join(ROOT, 'lambdas/README.md'), 'utf8')
  .split('## Glossary')[1]!
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .flatMap((line) =>
    line
      .split('|')[1]!
      .split(',')
      .map((term) => term.trim()),
  );

/** Words may be written apart, with a hyphen or as one identifier: `ordering queue`, `orderingQueue`. */
const occurrencesOf = (term: string): RegExp =>
  new RegExp(
    term
      .replace(/ \(.*\)$/, '')
      .split(/[ -]/)
      .join('[ -]?'),
    'i',
  );

test('no term stands twice', () => {
  expect(terms.length).toBeGreaterThan(100);
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
});

test('a name with several meanings is told apart in each of its lines', () => {
  const nameOf = (term: string) => term.replace(/ \(.*\)$/, '');
  const names = terms.map(nameOf);
  const several = names.filter((name, index) => names.indexOf(name) !== index);
  expect(terms.filter((term) => several.includes(term))).toEqual([]);
});

test('each term occurs in the code', () => {
  expect(terms.filter((term) => !occurrencesOf(term).test(code))).toEqual([]);
});
