import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { openApiDocument } from '../lambdas/core/http/openapi/document';
import { type ApiDocument, apiReference } from './api-reference';

/** `npm run docs:api`: writes `docs/api.md`, formatted by prettier. */
async function main(): Promise<void> {
  const path = join(__dirname, '../docs/api.md');
  const options = await resolveConfig(path);
  const text = apiReference(openApiDocument() as unknown as ApiDocument);
  writeFileSync(path, await format(text, { ...options, filepath: path }));
}

void main();
