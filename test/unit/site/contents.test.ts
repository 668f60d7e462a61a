import { join } from 'node:path';

import { PROBLEM_KINDS } from '../../../lambdas/core/http/problem-kinds';
import { entriesOf } from '../../../site/contents';
import { layout } from '../../../site/layout';
import { llms } from '../../../site/llms';
import { readSite } from '../../../site/site';

const site = readSite(join(__dirname, '../../..'));
const MOST_ENTRIES = 8;
const MOST_GROUPS = 10;

test('the contents have few groups, and no group has more than a reader chooses from', () => {
  expect(site.parts.map(({ title }) => title)).toEqual(['Use', 'Operate', 'Inside']);
  for (const { groups } of site.parts) {
    expect(groups.length).toBeLessThanOrEqual(MOST_GROUPS);
    for (const { title, entries } of groups)
      expect([title, entries.length > MOST_ENTRIES]).toEqual([title, false]);
  }
});

test.each([
  ['docs/calendars.md', 'Schedules'],
  ['docs/api/jobs.md', 'Tools'],
  ['docs/README.md', 'Start'],
])('the pages beside %s are those of one open group', (file, group) => {
  const html = layout(site.pages.get(file)!, { html: '', sections: [] }, site);
  expect([...html.matchAll(/<details open><summary>(.+?)</g)].map(([, title]) => title)).toEqual([group]);
  expect(html.match(/<details>/g)!.length).toBeGreaterThan(5);
});

test('llms.txt names each page once, those of the API and the problems with what they are about', () => {
  const text = llms(site);
  const named = [...text.matchAll(/^- \[.+?\]\((.+?)\.md\)/gm)].map(([, path]) => path!);
  const paths = [...site.pages.values()].map(({ path }) => path);
  expect(named.toSorted()).toEqual(paths.filter((path) => !['index', 'contents'].includes(path)).toSorted());
  expect(text).toContain('- [Jobs](api/jobs.md): A job has a schedule, a target and policies.\n');
  for (const [kind, { meaning }] of Object.entries(PROBLEM_KINDS))
    expect(text).toContain(`(problems/${kind}.md): ${meaning}\n`);
  expect(text).not.toMatch(/: .*\]\(/);
});

test('each page is below one entry of the contents, or is one', () => {
  const entries = new Set(site.parts.flatMap(entriesOf).map(({ file }) => file));
  for (const { file, parent } of site.pages.values())
    if (!['README.md', 'docs/README.md'].includes(file)) expect(entries).toContain(parent ?? file);
});
