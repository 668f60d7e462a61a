import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../../..');
const MAX_LINES = 'eslint(max-lines)';
const MAX_FUNCTION = 'eslint(max-lines-per-function)';
const SHORT_TESTS = 'quarterjack(short-test-functions)';

/** Statements on as many lines. */
const lines = (count: number): string => 'go();\n'.repeat(count);
/** A function of so many lines, its first and last included. */
const fn = (count: number): string => `export function f() {\n${lines(count - 2)}}\n`;
const arrow = (count: number): string => `() => {\n${lines(count - 2)}}`;
/** Two tests of so many lines each. */
const tests = (count: number): string => `test('a', ${arrow(count)});\ntest('b', ${arrow(count)});\n`;

const CASES: [path: string, text: string, codes: string[]][] = [
  ['lambdas/full.ts', lines(300), []],
  ['lambdas/long.ts', lines(301), [MAX_LINES]],
  ['lambdas/blank.ts', `${lines(200)}\n${'// a comment\n\n'.repeat(60)}`, [MAX_LINES]],
  ['local/long.mjs', lines(301), [MAX_LINES]],
  ['test/long.test.ts', lines(301), [MAX_LINES]],
  ['client/schema.d.ts', 'export type A = 1;\n'.repeat(301), []],
  ['lambdas/function.ts', fn(60), []],
  ['lambdas/long-function.ts', fn(61), [MAX_FUNCTION]],
  ['lambdas/long-arrow.ts', `export const f = ${arrow(61)};\n`, [MAX_FUNCTION]],
  ['lambdas/describe.ts', `describe('a', ${arrow(61)});\n`, [MAX_FUNCTION]],
  ['test/function.ts', fn(60), []],
  ['test/long-function.ts', fn(61), [SHORT_TESTS]],
  ['test/long-method.ts', `export const a = {\nf() {\n${lines(59)}},\n};\n`, [SHORT_TESTS]],
  ['test/suite.test.ts', `describe('a', () => {\n${tests(60)}});\n`, []],
  ['test/each.test.ts', `describe.each([1])('a', () => {\n${tests(60)}});\n`, []],
  ['test/table.test.ts', `describe.each([\n1])('a', () => {\n${tests(60)}});\n`, []],
  ['test/a.suite.ts', `export function suite() {\ndescribe('a', () => {\n${tests(60)}});\n}\n`, []],
  ['test/long-test.test.ts', `describe('a', () => {\n${tests(61)}});\n`, [SHORT_TESTS, SHORT_TESTS]],
  ['test/long-loose.test.ts', tests(61), [SHORT_TESTS, SHORT_TESTS]],
];

let reported: Map<string, string[]>;

beforeAll(() => {
  const dir = mkdtempSync(join(tmpdir(), 'quarterjack-sizes-'));
  copyFileSync(join(root, '.oxlintrc.json'), join(dir, '.oxlintrc.json'));
  cpSync(join(root, 'scripts/lint'), join(dir, 'scripts/lint'), { recursive: true });
  for (const [path, text] of CASES) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json'], {
    cwd: dir,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
  reported = new Map(CASES.map(([path]) => [path, []]));
  for (const { filename, code } of diagnostics)
    if ([MAX_LINES, MAX_FUNCTION, SHORT_TESTS].includes(code)) reported.get(filename)?.push(code);
  rmSync(dir, { recursive: true });
});

test.each(CASES)('%s', (path, _text, codes) => {
  expect(reported.get(path)).toEqual(codes);
});
