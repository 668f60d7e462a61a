import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { anchorsOf } from '../../../site/slug';

const ROOT = resolve(__dirname, '../../..');
const SKIPPED = new Set(['node_modules', 'dist', 'cdk.out', 'coverage']);

/** All Markdown files of the checkout, as paths relative to it. */
function markdownFiles(folder = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownFiles(path);
    return entry.name.endsWith('.md') ? [relative(ROOT, path)] : [];
  });
}

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The text without code, in which brackets and `#` have other meanings. */
const proseOf = (text: string): string =>
  text.replace(/^ *```.*?^ *```/gms, '').replace(/`[^`\n]*`/g, 'code');

const known = new Map<string, Set<string>>();

/** The anchors of a page of the checkout; each page is read once. */
function anchorsOfPage(path: string): Set<string> {
  const anchors = known.get(path) ?? anchorsOf(textOf(path));
  known.set(path, anchors);
  return anchors;
}

/** The destinations of links and images, `[text](destination)` and `[text]: destination`. */
const linksOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]: +(\S+)/gm)].map(
    ([, inline, reference]) => (inline ?? reference) as string,
  );

/** Why a link of a page leads nowhere; undefined if it leads somewhere, or outside the checkout. */
function faultOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/i.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), decodeURIComponent(path));
  const full = join(ROOT, target);
  if (!existsSync(full)) return `${page}: ${link}: no such file`;
  if (anchor === undefined || statSync(full).isDirectory() || !target.endsWith('.md')) return undefined;
  return anchorsOfPage(target).has(anchor) ? undefined : `${page}: ${link}: no such heading`;
}

const pages = markdownFiles();

test('every link and anchor of every Markdown file leads somewhere', () => {
  const links = pages.flatMap((page) => linksOf(textOf(page)).map((link) => ({ page, link })));
  expect(links.length).toBeGreaterThan(200);
  expect(links.map(({ page, link }) => faultOf(page, link)).filter(Boolean)).toEqual([]);
});

test('docs/README.md links to every page of docs', () => {
  const linked = new Set(linksOf(textOf('docs/README.md')).map((link) => join('docs', link)));
  const all = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  expect(all.filter((page) => !linked.has(page))).toEqual([]);
});

test('a broken link is found', () => {
  expect(faultOf('README.md', 'docs/nowhere.md')).toBe('README.md: docs/nowhere.md: no such file');
  expect(faultOf('README.md', 'docs/README.md#nowhere')).toContain('no such heading');
  expect(faultOf('docs/README.md', '../README.md#what-it-promises')).toBeUndefined();
  expect(anchorsOf('# A `b` & c\n## A\n## A\n')).toEqual(new Set(['a-b--c', 'a', 'a-1']));
});
