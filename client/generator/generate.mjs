/**
 * Writes `client/schema.d.ts` from the OpenAPI document on stdin: `npm run client:types`. The hash of the document is
 * written with it, so that a test sees when the two have parted.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';

import openapiTS, { astToString } from 'openapi-typescript';

const document = JSON.parse(await text(process.stdin));
const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex');

// A default is the server's business: a request may leave the field out.
const types = await openapiTS(document, { defaultNonNullable: false });
const head = `// Made by \`npm run client:types\` from the OpenAPI document with this SHA-256; not to be changed by hand.\n// ${hash}\n\n`;
writeFileSync(fileURLToPath(new URL('../schema.d.ts', import.meta.url)), head + astToString(types));
