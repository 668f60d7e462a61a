import { openApiDocument } from '../lambdas/core/http/openapi/document';

/** `npm run --silent openapi > openapi.json`: prints the document that `GET /v1/openapi.json` returns. */
process.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
