import { openApiDocument } from '../lambdas/core/http/openapi/document';
import { type ApiDocument, apiReference } from '../scripts/api-reference';
import { type Page, pageOf } from './page';
import { anchorsOf } from './slug';

/** The API reference, a page for each of its sections: all of it on one page has half a megabyte. */
export function apiPages(file: string): { pages: Page[]; moved: Map<string, string> } {
  const reference = apiReference(openApiDocument() as unknown as ApiDocument);
  const [head = '', problems = '', ...sections] = reference.split(/^(?=## )/m);
  const folder = file.replace(/\.md$/, '');
  const parts = sections.map((text) => {
    const name = /^## (.+)$/m.exec(text)![1]!;
    return { text, file: `${folder}/${name.toLowerCase().replaceAll(' ', '-')}.md` };
  });
  const moved = new Map(
    parts.flatMap((part) => [...anchorsOf(part.text)].map((anchor) => [`${file}#${anchor}`, part.file])),
  );
  const pages = parts.map((part) => pageOf(part.file, onItsOwn(part.text), { parent: file }));
  return { pages: [pageOf(file, [head, problems, operations(pages)].join('')), ...pages], moved };
}

/** Headings rise by a level. Links to others lead by the reference as a whole, which the site takes apart. */
const onItsOwn = (section: string): string => section.replace(/^##/gm, '#').replaceAll('](#', '](../api.md#');

/** A list of all operations, by section. */
const operations = (pages: readonly Page[]): string =>
  pages
    .map(({ title, path, text }) => {
      const routes = [...text.matchAll(/^## ([A-Z]+ `.+`)\n\n\*\*(.+)\.\*\*$/gm)].map(
        ([, route = '', summary = '']) =>
          `- [${route}](${path}.md#${[...anchorsOf(`## ${route}`)][0]}): ${summary}`,
      );
      return [`## [${title}](${path}.md)`, ...routes].join('\n').replace('\n', '\n\n');
    })
    .join('\n\n');
