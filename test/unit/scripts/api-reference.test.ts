import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openApiDocument } from '../../../lambdas/core/http/openapi/document';
import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { type ApiDocument, apiReference } from '../../../scripts/api-reference';

/** Only the words are compared, since prettier changes the layout of tables and of short lists in JSON. */
const words = (text: string): string =>
  text
    .replace(/[\s|\\-]+/g, ' ')
    .replace(/(?<=\[) | (?=\])/g, '')
    .trim();

test('docs/api.md matches the OpenAPI document; if not, run `npm run docs:api`', () => {
  const written = readFileSync(join(__dirname, '../../../docs/api.md'), 'utf8');
  expect(words(written)).toBe(words(apiReference(openApiDocument() as unknown as ApiDocument)));
});

test('every route has a section', () => {
  const reference = apiReference(openApiDocument() as unknown as ApiDocument);
  for (const { method, path } of ROUTES) expect(reference).toContain(`### ${method} \`${path}\``);
});
