import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { REPOSITORY } from '../../../scripts/package/names.mjs';
import { packagedChangelog } from '../../../scripts/package/packaged-changelog.mjs';

test('a link to a page of the checkout is its words, and one link leads to the version in the repository', () => {
  expect(packagedChangelog('[a b](docs/a.md#b), [c](https://x.example/) and [d](#e)\n', '0.1.0')).toBe(
    `a b, [c](https://x.example/) and [d](#e)\n\nWith its links: <${REPOSITORY}/blob/v0.1.0/CHANGELOG.md>\n`,
  );
});

test('no link of the packaged changelog leads to a file that the package does not have', () => {
  const changelog = readFileSync(join(__dirname, '../../../CHANGELOG.md'), 'utf8');
  const links = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
  expect(links(changelog).length).toBeGreaterThan(10);
  const packaged = links(packagedChangelog(changelog, '0.1.0'));
  expect(packaged.filter((link) => !link.startsWith('https://'))).toEqual([]);
});
