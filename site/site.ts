import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { apiPages } from './api-pages';
import { entriesOf, type Part, partsOf } from './contents';
import { API, CONTENTS, HOME, type Page, pageOf } from './page';
import { problemPages } from './problem-pages';

export interface Site {
  /** The root of the checkout. */
  root: string;
  parts: Part[];
  /** By their files. */
  pages: Map<string, Page>;
  /** Headings that are on another page than their file says: `docs/api.md#jobs` on `docs/api/jobs.md`. */
  moved: Map<string, string>;
}

const DECISIONS = 'docs/adr/README.md';

/** All pages: those that the contents name, and those below them. */
export function readSite(root: string): Site {
  const read = (file: string, parent?: string): Page =>
    pageOf(file, readFileSync(join(root, file), 'utf8'), { parent, generated: false });
  const parts = partsOf(readFileSync(join(root, CONTENTS), 'utf8'), posix.dirname(CONTENTS));
  const decisions = readdirSync(join(root, posix.dirname(DECISIONS)))
    .toSorted()
    .map((name) => read(posix.join(posix.dirname(DECISIONS), name), DECISIONS));
  const api = apiPages(API);
  const generated = [listOf('Decisions', DECISIONS, decisions), ...api.pages, ...problemPages(API)];
  const made = new Set(generated.map(({ file }) => file));
  const named = parts.flatMap(entriesOf);
  const files = [HOME, CONTENTS, ...named.map(({ file }) => file)].filter((file) => !made.has(file));
  const all = [...files.map((file) => read(file)), ...decisions, ...generated];
  return { root, parts, pages: new Map(all.map((page) => [page.file, page])), moved: api.moved };
}

/** A page that lists other pages. */
function listOf(title: string, file: string, pages: readonly Page[]): Page {
  const lines = pages.map((page) => `- [${page.title}](${posix.relative(posix.dirname(file), page.file)})`);
  return pageOf(file, `# ${title}\n\n${lines.join('\n')}\n`);
}
