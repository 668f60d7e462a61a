import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openApiDocument } from '../../../lambdas/core/http/openapi/document';

test('schema.d.ts matches the OpenAPI document; if not, run `npm run client:types`', () => {
  const hash = createHash('sha256').update(JSON.stringify(openApiDocument())).digest('hex');
  const head = readFileSync(join(__dirname, '../../../client/schema.d.ts'), 'utf8').slice(0, 500);
  expect(head).toContain(hash);
});
