import MarkdownIt from 'markdown-it';

import { entriesOf, type Entry, type Group, type Part } from './contents';
import { relative } from './links';
import type { Section } from './markdown';
import { CONTENTS, HOME, type Page, pathOf } from './page';
import type { Site } from './site';

/** Everything comes from the site itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const { escapeHtml: escape } = new MarkdownIt().utils;

/** The whole of a page: the bar, the pages of its part, its own HTML, and its headings. */
export function layout(page: Page, { html, sections }: { html: string; sections: Section[] }, site: Site) {
  const to = (file: string): string => relative(page.path, file);
  const part = partOf(page, site.parts);
  const title = page.file === HOME ? page.title : `${page.title} · Quarterjack`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${POLICY}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${escape(title)}</title>
<link rel="icon" href="${to('mark.svg')}" />
<link rel="alternate" type="text/markdown" href="${to(`${page.path}.md`)}" />
<link rel="stylesheet" href="${to('site.css')}" />
<script src="${to('site.js')}" data-root="${to('.') || '.'}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button class="menu" popovertarget="pages">Pages</button>
<a class="home" href="${to('index.html')}"><img src="${to('mark.svg')}" alt="" width="22" height="22" />Quarterjack</a>
<nav aria-label="Parts">${site.parts.map((one) => partLink(one, one === part, to)).join('')}</nav>
<button class="search" aria-keyshortcuts="/" hidden>Search <kbd>/</kbd></button>
</header>
<div class="frame">
<nav id="pages" popover aria-label="Pages">${part ? groupsOf(part, page, site, to) : ''}</nav>
<main id="content" tabindex="-1">
<article>
${html}</article>
${footer(page, site, to)}</main>
${headingsOf(sections)}
</div>
</body>
</html>
`;
}

type To = (file: string) => string;

const link = (href: string, text: string, isCurrent: boolean, current = 'page'): string =>
  `<a href="${href}"${isCurrent ? ` aria-current="${current}"` : ''}>${escape(text)}</a>`;

const partLink = (part: Part, isCurrent: boolean, to: To): string =>
  link(to(`${pathOf(entriesOf(part)[0]!.file)}.html`), part.title, isCurrent, 'true');

/** The home page and the contents are before the first part. */
function partOf({ file, parent }: Page, parts: readonly Part[]): Part | undefined {
  const isIn = (part: Part) => entriesOf(part).some((entry) => entry.file === (parent ?? file));
  return parts.find(isIn) ?? parts[0];
}

/** The group of the page is open, else the first: a newcomer chooses among few headings. */
function groupsOf({ groups }: Part, page: Page, site: Site, to: To): string {
  const isIn = ({ entries }: Group) => entries.some(({ file }) => file === (page.parent ?? page.file));
  const open = groups.find(isIn) ?? groups[0];
  return groups
    .map((group) => {
      const items = group.entries.map((entry) => item(entry, page, site, to)).join('');
      const isOpen = group === open ? ' open' : '';
      return `<details${isOpen}><summary>${escape(group.title)}</summary><ul>${items}</ul></details>`;
    })
    .join('');
}

/** An entry. The pages below it are shown while one of them, or itself, is read. */
function item({ file, title }: Entry, page: Page, { pages }: Site, to: To): string {
  const isOpen = file === page.file || file === page.parent;
  const below = isOpen ? [...pages.values()].filter(({ parent }) => parent === file) : [];
  const inner = below
    .filter(({ path }) => !path.startsWith('problems/'))
    .map((one) => `<li>${link(to(`${one.path}.html`), one.title, one === page)}</li>`)
    .join('');
  const own = link(to(`${pathOf(file)}.html`), title, file === page.file);
  return `<li>${own}${inner && `<ul>${inner}</ul>`}</li>`;
}

function footer(page: Page, { parts }: Site, to: To): string {
  const order = parts.flatMap(entriesOf);
  const index = order.findIndex(({ file }) => file === (page.parent ?? page.file));
  const step = (entry: Entry | undefined, rel: 'prev' | 'next') =>
    entry ? `<a rel="${rel}" href="${to(`${pathOf(entry.file)}.html`)}">${escape(entry.title)}</a>` : '';
  return `<footer>
<nav aria-label="Next pages">${step(order[index - 1], 'prev')}${step(order[index + 1], 'next')}</nav>
<p><a href="${to(`${page.path}.md`)}">This page as Markdown</a> · <a href="${to(`${pathOf(CONTENTS)}.html`)}">All pages</a></p>
</footer>
`;
}

/** The headings of level 2 and 3, if there are enough of them to look for one. */
function headingsOf(sections: readonly Section[]): string {
  const shown = sections.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ anchor, text, level }) => `<li class="level-${level}"><a href="#${anchor}">${escape(text)}</a></li>`,
  );
  return `<nav class="headings" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}
