import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { openApiDocument } from '../../../lambdas/core/http/openapi/document';
import { PROBLEM_KINDS } from '../../../lambdas/core/http/problem-kinds';
import type { ApiDocument } from '../../../scripts/api-reference';
import { searcher } from '../../../site/browser/search';
import type { SearchData } from '../../../site/browser/search-data';
import { anchorsOf } from '../../../site/slug';

const ROOT = join(__dirname, '../../..');
let site: string;
let files: string[];

beforeAll(() => {
  site = mkdtempSync(join(tmpdir(), 'quarterjack-site-'));
  execFileSync(process.execPath, ['--import', 'tsx', join(ROOT, 'site/cli.ts'), '--out', site], {
    cwd: ROOT,
  });
  files = (readdirSync(site, { recursive: true }) as string[]).toSorted();
}, 300_000);
afterAll(() => rmSync(site, { recursive: true }));

const textOf = (file: string): string => readFileSync(join(site, file), 'utf8');
const ofKind = (ending: string): string[] => files.filter((file) => file.endsWith(ending));
const allOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

const anchors = new Map<string, Set<string>>();
const idsOf = (file: string): Set<string> => {
  const known = anchors.get(file) ?? new Set(allOf(textOf(file), / id="([^"]+)"/g));
  anchors.set(file, known);
  return known;
};

/** Why a link of a page leads nowhere; undefined if it leads somewhere, or to another host. */
function faultOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(site, file))) return `${page}: ${link}: no such file`;
  return anchor === undefined || idsOf(file).has(anchor) ? undefined : `${page}: ${link}: no such heading`;
}

test('each link and anchor of each page leads somewhere', () => {
  const pages = ofKind('.html');
  const links = pages.flatMap((page) =>
    allOf(textOf(page), / (?:href|src)="([^"]*)"/g).map((link) => ({ page, link })),
  );
  expect(links.length).toBeGreaterThan(5_000);
  expect(links.map(({ page, link }) => faultOf(page, link)).filter(Boolean)).toEqual([]);
  expect(faultOf('index.html', 'schedules.html#nowhere')).toBe(
    'index.html: schedules.html#nowhere: no such heading',
  );
});

test('links of the twins in Markdown lead to twins', () => {
  const faults = ofKind('.md').flatMap((page) => {
    const prose = textOf(page).replace(/^ *```.*?^ *```|`[^`\n]*`/gms, 'code');
    return allOf(prose, /\]\(([^)\s]+)/g)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(site, file))) return true;
        return file.endsWith('.md') && anchor !== undefined && !anchorsOf(textOf(file)).has(anchor);
      })
      .map((link) => `${page}: ${link}`);
  });
  expect(faults).toEqual([]);
});

test('each page of docs is in the site, with a twin', () => {
  const docs = (readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  );
  expect(docs.length).toBeGreaterThan(90);
  const missing = docs.filter(
    (file) => !files.includes(file) || !files.includes(file.replace('.md', '.html')),
  );
  expect(missing).toEqual([]);
  expect(ofKind('.html').map((file) => file.replace('.html', '.md'))).toEqual(ofKind('.md'));
});

test('nothing is loaded from another host, and no style or script is inline', () => {
  for (const page of ofKind('.html')) {
    const text = textOf(page);
    expect(text).toContain(`default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'`);
    expect(allOf(text, /<(?:script|img|link)[^>]* (?:href|src)="([a-z]+:[^"]*)"/g)).toEqual([]);
    expect(text.match(/ style="|<style|<script(?![^>]* src=)| on[a-z]+="/)?.[0]).toBeUndefined();
  }
  for (const file of [...ofKind('.svg'), ...ofKind('.css')])
    expect(textOf(file).match(/url\((?!#)|@import/)?.[0]).toBeUndefined();
});

test('llms.txt has each page of the contents in its part', () => {
  const text = textOf('llms.txt');
  expect(allOf(text, /^## (.+)$/gm)).toEqual(['Use', 'Operate', 'Inside', 'API reference', 'Decisions']);
  const listed = allOf(text, /^- \[.+\]\(([^)]+)\)/gm);
  expect(listed.filter((file) => !files.includes(file))).toEqual([]);
  expect(listed).toEqual(expect.arrayContaining(['schedules.md', 'deploy.md', 'adr.md', 'api.md']));
});

test('each operation and schema of the OpenAPI document is in the reference', () => {
  const { paths, components } = openApiDocument() as unknown as ApiDocument;
  const text = ofKind('.md')
    .filter((file) => file.startsWith('api/'))
    .map(textOf)
    .join('\n');
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `## ${method.toUpperCase()} \`${path}\``),
  );
  const schemas = Object.keys(components.schemas).filter((name) => name !== 'OpenApiDocument');
  expect(routes.length).toBeGreaterThan(80);
  for (const heading of [...routes, ...schemas.map((name) => `## ${name}`)])
    expect(text).toContain(`\n${heading}\n`);
  expect(JSON.parse(textOf('openapi.json'))).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

test.each(Object.entries(PROBLEM_KINDS))('the problem %s has a page', (kind, { title, meaning, advice }) => {
  const text = textOf(`problems/${kind}.md`);
  for (const part of [`# ${title}`, meaning, advice, `/v1/problems/${kind}\``]) expect(text).toContain(part);
});

test.each([
  ['clock change', 'schedules.html#clock-changes'],
  ['misfire', 'schedules.html#misfire'],
  ['quota exceeded', 'problems/quota-exceeded.html'],
  ['crontab', 'work-command.html'],
  ['POST /v1/jobs/batch', 'api/jobs.html#post-v1jobsbatch'],
])('a search for "%s" finds %s', (query, expected) => {
  const context: { quarterjackSearch?: SearchData } = {};
  runInNewContext(textOf('search.js'), context);
  const found = searcher(context.quarterjackSearch!)(query);
  expect(found.slice(0, 5).map(({ path }) => path.replace(/(work-command\.html)#.*/, '$1'))).toContain(
    expected,
  );
});
