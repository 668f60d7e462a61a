import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DEFINITION_FIELDS } from '../../../lambdas/core/domain/definition-fields';

const ROOT = join(__dirname, '../../..');
const FOLDERS = ['cli', 'client', 'console', 'lambdas', 'lib', 'local', 'schema', 'scripts', 'test'];
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The files and folders that the page names by their path. */
const named = [...textOf('docs/first-change.md').matchAll(/`([a-z][\w-]*\/[\w./-]*)`/g)].map(
  ([, path]) => path!,
);
const WORDS = DEFINITION_FIELDS.toReversed().map((field) => new RegExp(String.raw`\b${field}\b`));

test('each path exists', () => {
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('each file that names every field of a job is on the page', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|json)$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  );
  const complete = files.filter((file) => {
    const text = textOf(file);
    return WORDS.every((word) => word.test(text));
  });
  expect(complete).toContain('lambdas/core/domain/job.ts');
  expect(complete.filter((file) => !named.includes(file))).toEqual([]);
});
