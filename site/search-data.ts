import type { SearchData } from './browser/search-data';
import { entriesOf } from './contents';
import type { Section } from './markdown';
import { API, type Page } from './page';
import type { Site } from './site';

/** Most readers look for how to use it: the guides come first, and the fields of schemas last. */
const WEIGHT = { guide: 1, inside: 0.5, api: 0.2, schemas: 0.1 };
const SCHEMAS = API.replace('.md', '/schemas.md');
/** Their headings are the words of other products. */
const COMING_FROM = 'docs/coming-from';

export function searchData(
  drawn: readonly { page: Page; sections: readonly Section[] }[],
  { parts }: Site,
): SearchData {
  const inside = new Set(entriesOf(parts.at(-1)!).map(({ file }) => file));
  const weightOf = ({ file, parent }: Page): number => {
    if (file === SCHEMAS) return WEIGHT.schemas;
    if ((parent ?? file) === API) return WEIGHT.api;
    return inside.has(parent ?? file) || file.startsWith(COMING_FROM) ? WEIGHT.inside : WEIGHT.guide;
  };
  return {
    pages: drawn.map(({ page }) => [page.path, page.title, weightOf(page)]),
    sections: drawn.flatMap(({ sections }, index) =>
      sections.map(({ anchor, text, level, body }): SearchData['sections'][number] => [
        index,
        level === 1 ? '' : anchor,
        text,
        body.replace(/\s+/g, ' ').trim(),
      ]),
    ),
  };
}
