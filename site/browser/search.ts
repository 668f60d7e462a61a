import MiniSearch from 'minisearch';

import type { SearchData } from './search-data';

export interface Found {
  /** With the ending and the anchor. */
  path: string;
  /** That of the page, unless it is the heading. */
  title: string;
  heading: string;
  excerpt: string;
}

const MOST_RESULTS = 20;
const EXCERPT_LENGTH = 160;
/** How much the beginning of a page counts against its sections. */
const WHOLE_PAGE = 1.5;

/** All words of a query have to be in a section. The last may be the beginning of one. */
export function searcher({ pages, sections }: SearchData): (query: string) => Found[] {
  const index = new MiniSearch({
    fields: ['title', 'heading', 'body'],
    processTerm: singular,
    searchOptions: {
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      boost: { title: 3, heading: 4 },
      boostDocument: (id) => {
        const [page, anchor] = sections[id as number]!;
        return pages[page]![2] * (anchor === '' ? WHOLE_PAGE : 1);
      },
    },
  });
  index.addAll(
    sections.map(([page, , heading, body], id) => ({ id, title: pages[page]![1], heading, body })),
  );
  return (query) =>
    index
      .search(query)
      .slice(0, MOST_RESULTS)
      .map(({ id, terms }) => {
        const [page, anchor, heading, body] = sections[id as number]!;
        const [path, title] = pages[page]!;
        return {
          path: `${path}.html${anchor === '' ? '' : `#${anchor}`}`,
          title: heading === title ? '' : title,
          heading,
          excerpt: excerptOf(body, terms),
        };
      });
}

/** `Workers` as `worker`, `retries` as `retry`: in what is searched, and in queries. */
const singular = (word: string): string =>
  word
    .toLowerCase()
    .replace(/(?<=..)ies$/, 'y')
    .replace(/(?<=...[^s])s$/, '');

/** The text around the first of the words. */
function excerptOf(body: string, words: readonly string[]): string {
  const lower = body.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, body.length) - 40);
  const from = places.length === 0 || start === 0 ? 0 : body.indexOf(' ', start) + 1;
  const text = body.slice(from, from + EXCERPT_LENGTH);
  return `${from > 0 ? '… ' : ''}${text}${from + EXCERPT_LENGTH < body.length ? ' …' : ''}`;
}
