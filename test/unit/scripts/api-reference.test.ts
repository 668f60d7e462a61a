import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openApiDocument } from '../../../lambdas/core/http/openapi/document';
import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { type ApiDocument, apiReference } from '../../../scripts/api-reference';

const reference = apiReference(openApiDocument() as unknown as ApiDocument);
const MAX_BYTES = 250_000;

test('docs/api.md matches the OpenAPI document; if not, run `npm run docs:api`', () => {
  expect(readFileSync(join(__dirname, '../../../docs/api.md'), 'utf8')).toBe(reference);
});

test('the reference is small enough for a browser or an editor to show it', () => {
  expect(Buffer.byteLength(reference)).toBeLessThan(MAX_BYTES);
});

test('every route has a section', () => {
  for (const { method, path } of ROUTES) expect(reference).toContain(`### ${method} \`${path}\``);
});
