import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { modelFiles } from './files';

/** `npm run sdk:models`: writes the models of the SDKs from the OpenAPI document. */
for (const [path, text] of Object.entries(modelFiles())) {
  const file = join(__dirname, '../..', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
