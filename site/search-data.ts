import type { SearchData } from './browser/search-data';
import { entriesOf } from './contents';
import type { Section } from './markdown';
import type { Page } from './page';
import type { Site } from './site';

export function searchData(
  drawn: readonly { page: Page; sections: readonly Section[] }[],
  { parts }: Site,
): SearchData {
  const inside = new Set(entriesOf(parts.at(-1)!).map(({ file }) => file));
  const isInside = ({ file, parent }: Page): boolean => inside.has(parent ?? file);
  return {
    pages: drawn.map(({ page }) => [page.path, page.title, isInside(page) ? 0.5 : 1]),
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
