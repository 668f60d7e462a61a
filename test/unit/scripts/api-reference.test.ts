import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openApiDocument } from '../../../lambdas/core/http/openapi/document';
import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { type ApiDocument, apiReference, FOR_EDITORS } from '../../../scripts/api-reference';

const reference = apiReference(openApiDocument() as unknown as ApiDocument);
const MAX_BYTES = 250_000;

test('docs/api.md matches the OpenAPI document; if not, run `npm run docs:api`', () => {
  expect(readFileSync(join(__dirname, '../../../docs/api.md'), 'utf8')).toBe(FOR_EDITORS + reference);
});

test('the reference is small enough for a browser or an editor to show it', () => {
  expect(Buffer.byteLength(reference)).toBeLessThan(MAX_BYTES);
});

test('every route has a section', () => {
  for (const { method, path } of ROUTES) expect(reference).toContain(`### ${method} \`${path}\``);
});

test('the routes without a token are named, and no others', () => {
  const [, named = ''] = /but for these: ([^]+?)\.\n/.exec(reference) ?? [];
  const open = ROUTES.filter(({ auth }) => auth === 'none').map(({ method, path }) => `${method} ${path}`);
  expect(open).toEqual(expect.arrayContaining(['GET /v1/version', 'GET /v1/problems/{kind}']));
  expect(new Set([...named.matchAll(/`(.+?)`/g)].map(([, call]) => call))).toEqual(new Set(open));
});

test('readers see no word for editors', () => {
  expect(reference).toMatch(/^# API reference\n/);
  expect(reference).not.toMatch(/do not edit|docs:api/i);
});
