import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { REPOSITORY } from '../../../scripts/package/names.mjs';
import { withOutsideLinks } from '../../../scripts/package/outside-links.mjs';

test('links to pages of the checkout lead to the version of them in the repository', () => {
  expect(withOutsideLinks('[a](docs/a.md#b), [c](https://x.example/) and [d](#e)', '0.1.0')).toBe(
    `[a](${REPOSITORY}/blob/v0.1.0/docs/a.md#b), [c](https://x.example/) and [d](#e)`,
  );
});

test('no link of the packaged changelog leads to a file that the package does not have', () => {
  const changelog = readFileSync(join(__dirname, '../../../CHANGELOG.md'), 'utf8');
  const links = [...withOutsideLinks(changelog, '0.1.0').matchAll(/\]\(([^)]+)\)/g)];
  expect(links.length).toBeGreaterThan(10);
  expect(links.map(([, link]) => link).filter((link) => !link!.startsWith('https://'))).toEqual([]);
});
