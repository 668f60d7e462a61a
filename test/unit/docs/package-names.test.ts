import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CDK, CLI, PACKAGES } from '../../../scripts/package/names.mjs';

const ROOT = join(__dirname, '../../..');
const FOLDERS = ['docs', 'cli', 'client', 'console', 'lib', 'examples', 'scripts/package'];
const FILES = ['README.md', 'CONTRIBUTING.md', 'tsconfig.json'];

const files = [
  ...FILES,
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:md|html|json|tsx?|[cm]?js)$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  ),
];
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Each text that matches, as `file: text`. */
const found = (pattern: RegExp): string[] =>
  files.flatMap((file) => [...textOf(file).matchAll(pattern)].map(([text]) => `${file}: ${text}`));

test('texts name the packages as `scripts/package/names.mjs` does', () => {
  const others = found(/@[\w-]+\/(?:cli|cdk)\b(?!\/)/g).filter(
    (one) => ![CLI, CDK].includes(one.split(': ')[1]!),
  );
  expect(others).toEqual([]);
  expect(found(new RegExp(`npx ${CLI}`, 'g')).length).toBeGreaterThan(10);
  expect(JSON.parse(textOf('cli/package.json'))).toMatchObject({ name: PACKAGES.cli });
});

test('the command is run with npx by the name of its package', () => {
  expect(found(/npx (?:--\S+ )*quarterjack\b/g)).toEqual([]);
});

test('no text imports from a former name', () => {
  expect(found(/(?:from|import|require\() ?['"]quarterjack\/(?:cdk|client)['"]/g)).toEqual([]);
});
