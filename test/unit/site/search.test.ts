import { join } from 'node:path';

import { searcher } from '../../../site/browser/search';
import { draw } from '../../../site/markdown';
import { searchData } from '../../../site/search-data';
import { readSite } from '../../../site/site';

const site = readSite(join(__dirname, '../../..'));
const drawing = { linkOf: (link: string) => link, diagramOf: () => '' };
const drawn = [...site.pages.values()].map((page) => ({
  page,
  sections: draw(page.text, drawing).sections,
}));
const find = searcher(searchData(drawn, site));
const pageOf = (path: string): string => path.replace(/\.html.*/, '');

test.each([
  ['retry', 'failures or deliveries'],
  ['retries', 'failures or deliveries'],
  ['timezone', 'schedules'],
  ['cron', 'schedules'],
  ['worker', 'workers'],
  ['workers', 'workers'],
  ['cancel', 'backfills'],
  ['backfill', 'backfills'],
  ['secret', 'secrets'],
  ['calendar', 'calendars'],
  ['workflow', 'workflows'],
  ['api key', 'api-keys'],
  ['webhook', 'deliveries'],
  ['login', 'cli'],
  ['quota', 'configuration'],
])('a search for %s shows the guide %s first', (query, guides) => {
  expect(guides.split(' or ')).toContain(pageOf(find(query)[0]!.path));
});

test('the first three results of a common word are of guides, and the reference is found too', () => {
  for (const query of ['retry', 'timezone', 'cron', 'worker', 'cancel']) {
    const paths = find(query).map(({ path }) => path);
    expect(paths.slice(0, 3).filter((path) => /^(?:api|problems|adr)\b/.test(path))).toEqual([]);
  }
  expect(find('retrypolicy')[0]!.path).toBe('api/schemas.html#retrypolicy');
});
