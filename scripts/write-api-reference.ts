import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openApiDocument } from '../lambdas/core/http/openapi/document';
import { type ApiDocument, apiReference, FOR_EDITORS } from './api-reference';

/** `npm run docs:api`: writes `docs/api.md`. */
writeFileSync(
  join(__dirname, '../docs/api.md'),
  FOR_EDITORS + apiReference(openApiDocument() as unknown as ApiDocument),
);
