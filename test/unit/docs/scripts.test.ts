import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('CONTRIBUTING lists each script of package.json once, in the same order', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const section = /^## Scripts$(.*?)^## /ms.exec(textOf('CONTRIBUTING.md'))?.[1] ?? '';
  const listed = [...section.matchAll(/^\| `([a-z0-9:-]+)` +\| (.+?) +\|$/gm)];
  expect(listed.map(([, name]) => name)).toEqual(Object.keys(scripts));
});
