import { join } from 'node:path';

import { partsOf } from '../../../site/contents';
import { destinationOf, linkTo, twinOf } from '../../../site/links';
import { pageOf } from '../../../site/page';
import type { Site } from '../../../site/site';

const here = pageOf(
  'docs/adr/0002-recheck.md',
  '# 2. Recheck\n\n[Jobs](../api.md#jobs), `[a](b)`, [c](https://c.example)\n',
);
const jobs = pageOf('docs/api/jobs.md', '# Jobs\n');
const site: Site = {
  root: join(__dirname, '../../..'),
  parts: [],
  pages: new Map([here, jobs, pageOf('docs/api.md', '# API\n')].map((page) => [page.file, page])),
  moved: new Map([['docs/api.md#jobs', 'docs/api/jobs.md']]),
};
const linked = (link: string): string => linkTo(destinationOf(link, here, site), here, '.html');

test.each([
  ['../api.md', '../api.html'],
  ['../api.md#jobs', '../api/jobs.html#jobs'],
  ['#context', '#context'],
  ['../pictures/why.png', '../pictures/why.png'],
  ['../../lambdas/core', 'https://github.com/quarterjack/quarterjack/tree/main/lambdas/core'],
  ['../../LICENSE', 'https://github.com/quarterjack/quarterjack/blob/main/LICENSE'],
  ['https://example.com/a#b', 'https://example.com/a#b'],
])('the link %s is %s in the site', (link, expected) => {
  expect(linked(link)).toBe(expected);
});

test('a link that leads nowhere stops the build, and is named', () => {
  expect(() => linked('../nowhere.md')).toThrow('docs/adr/0002-recheck.md: ../nowhere.md leads nowhere');
});

test('the twin of a page links to twins, and its code stays as it is', () => {
  expect(twinOf(here, site)).toBe(
    '# 2. Recheck\n\n[Jobs](../api/jobs.md#jobs), `[a](b)`, [c](https://c.example)\n',
  );
});

test('the contents have parts, groups and entries; a folder is its README', () => {
  const text = '## Use\n\n### Start\n\n- [`work`](work.md): commands\n  of hosts.\n- [Decisions](adr/)\n';
  expect(partsOf(text, 'docs')).toEqual([
    {
      title: 'Use',
      groups: [
        {
          title: 'Start',
          entries: [
            { file: 'docs/work.md', title: 'work', summary: 'commands of hosts.' },
            { file: 'docs/adr/README.md', title: 'Decisions', summary: '' },
          ],
        },
      ],
    },
  ]);
});

test.each([
  ['## Use\n\n### Start\n\n- no link\n', 'the item "no link" begins with no link'],
  ['## Use\n\n- [a](a.md)\n', 'the item "[a](a.md)" comes before a heading of level 3'],
])('contents that no site can be made of are named', (text, message) => {
  expect(() => partsOf(text, 'docs')).toThrow(message);
});
