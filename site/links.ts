import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

import { REPOSITORY } from '../scripts/package/names.mjs';
import type { Page } from './page';
import type { Site } from './site';

/** Where a link of a page leads: a page of the site, a picture, or somewhere else. */
export type Destination =
  | { type: 'page'; page: Page; anchor: string }
  | { type: 'picture'; file: string }
  | { type: 'elsewhere'; url: string };

/** Throws for a link that leads nowhere. A file that is no page is one of the repository. */
export function destinationOf(link: string, from: Page, { root, pages, moved }: Site): Destination {
  if (/^[a-z]+:/i.test(link)) return { type: 'elsewhere', url: link };
  const [path = '', heading] = link.split('#');
  const anchor = heading === undefined ? '' : `#${heading}`;
  const file =
    path === ''
      ? from.file
      : posix.join(posix.dirname(from.file), decodeURIComponent(path)).replace(/\/$/, '');
  const page = pages.get(moved.get(file + anchor) ?? file) ?? pages.get(`${file}/README.md`);
  if (page) return { type: 'page', page, anchor };
  if (!existsSync(join(root, file))) throw new Error(`${from.file}: ${link} leads nowhere`);
  if (/\.(png|svg)$/.test(file)) return { type: 'picture', file };
  const kind = statSync(join(root, file)).isDirectory() ? 'tree' : 'blob';
  return { type: 'elsewhere', url: `${REPOSITORY}/${kind}/main/${file}${anchor}` };
}

/** The link as it is written in the site. `ending` is that of pages: `.html`, or `.md` for their twins. */
export function linkTo(destination: Destination, from: Page, ending: '.html' | '.md'): string {
  if (destination.type === 'elsewhere') return destination.url;
  if (destination.type === 'picture') return relative(from.path, pictureOf(destination.file));
  const { page, anchor } = destination;
  if (page === from && anchor !== '') return anchor;
  return relative(from.path, page.path + ending) + anchor;
}

/** Where a picture of the checkout is in the site. */
export const pictureOf = (file: string): string => file.replace(/^docs\//, '');

/** From the page at a path to a file of the site. The site works below any URL, and from a folder. */
export const relative = (path: string, file: string): string => posix.relative(posix.dirname(path), file);

/** The Markdown of a page, with links to the twins of other pages. */
export const twinOf = (page: Page, site: Site): string =>
  page.text.replace(
    /(^ *```[^]*?^ *```|`[^`\n]*`)|(\]\()([^)\s]+)/gm,
    (_, code: string | undefined, open: string, link: string) =>
      code ?? open + linkTo(destinationOf(link, page, site), page, '.md'),
  );
