import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  hashFiles,
  lintedFor,
  pageReaders,
  readHashes,
  testsFor,
  writeHashes,
} from '../../../scripts/check/changed-files.mjs';
import { addSeconds } from '../../../scripts/check/times.mjs';

const READERS = () => ['lambdas/a.ts', 'test/unit/docs/links.test.ts'];
const BEFORE = { 'lambdas/a.ts': '1', 'README.md': '1', 'test/unit/a.test.ts': '1' };

describe('which unit tests a check runs', () => {
  test.each<[string, Record<string, string> | undefined, 'all' | string[]]>([
    ['no check has passed yet', undefined, 'all'],
    ['nothing has changed', BEFORE, []],
    ['a module has changed', { ...BEFORE, 'lambdas/a.ts': '0' }, ['lambdas/a.ts']],
    ['a test is new', { 'lambdas/a.ts': '1', 'README.md': '1' }, ['test/unit/a.test.ts']],
    ['a page has changed', { ...BEFORE, 'README.md': '0' }, READERS()],
    ['a page is gone', { ...BEFORE, 'docs/b.md': '0' }, READERS()],
    ['a page and one of its readers', { ...BEFORE, 'README.md': '0', 'lambdas/a.ts': '0' }, READERS()],
    ['a module is gone', { ...BEFORE, 'lambdas/b.ts': '1' }, 'all'],
  ])('%s', (_, before, expected) => {
    expect([testsFor(before, BEFORE, READERS)].flat()).toEqual([expected].flat());
  });

  test.each(['jest.config.js', 'package-lock.json', 'test/setup-env.js', 'test/worker/schema-validators.js'])(
    '%s has changed: no import leads to it, so all tests run',
    (path) => {
      expect(testsFor(BEFORE, { ...BEFORE, [path]: '1' }, READERS)).toBe('all');
    },
  );

  test('modules of tests that name pages read them', () => {
    const reader = 'test/unit/docs/links.test.ts';
    const paths = [
      reader,
      'test/unit/core/domain/transitions.test.ts',
      'test/support/fake-clock.ts',
      'README.md',
    ];
    expect(pageReaders(paths)).toEqual(paths.slice(0, 2));
  });
});

test.each<[string, Record<string, string> | undefined, 'all' | string[]]>([
  ['no check has passed yet', undefined, 'all'],
  ['nothing has changed', BEFORE, []],
  ['a module has changed', { ...BEFORE, 'lambdas/a.ts': '0' }, ['lambdas/a.ts']],
  ['a page has changed', { ...BEFORE, 'README.md': '0' }, []],
  ['a module is gone', { ...BEFORE, 'lambdas/b.ts': '1' }, []],
])('what a check lints: %s', (_, before, expected) => {
  expect(lintedFor(before, BEFORE)).toEqual(expected);
});

test('a check lints all code after a change of a setting', () => {
  expect(lintedFor(BEFORE, { ...BEFORE, '.oxlintrc.json': '1' })).toBe('all');
});

describe('the hashes of a green check', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'check-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  test('they are read as they were written, and follow the content', () => {
    const source = join(dir, 'a.ts');
    const file = join(dir, 'deep', 'check.json');
    writeFileSync(source, 'const a = 1;');
    const first = hashFiles([source]);
    writeHashes(file, first);
    expect(readHashes(file)).toEqual(first);
    expect(readdirSync(join(dir, 'deep'))).toEqual(['check.json']);
    writeFileSync(source, 'const a = 2;');
    expect(testsFor(first, hashFiles([source]), READERS)).toEqual([source]);
  });

  test('the median is of the last five of one kind', () => {
    const file = join(dir, 'times.json');
    addSeconds(file, 'cold', 500);
    for (const seconds of [90, 1, 2, 30, 4]) addSeconds(file, 'warm', seconds);
    expect(addSeconds(file, 'warm', 5)).toEqual({ median: 4, count: 5 });
    expect(addSeconds(file, 'cold', undefined)).toEqual({ median: 500, count: 1 });
  });

  test('a file that was cut off counts as none', () => {
    const file = join(dir, 'check.json');
    writeFileSync(file, '{"a');
    expect(readHashes(file)).toBeUndefined();
    expect(readHashes(join(dir, 'none.json'))).toBeUndefined();
  });
});
