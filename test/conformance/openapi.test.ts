import { execFileSync } from 'node:child_process';

import { apiContract } from '../support/api-contract';

/** The validator is an ES module that reads files beside itself. Jest cannot load it. */
const VALIDATE = `
  import { text } from 'node:stream/consumers';
  import { Validator } from '@seriousme/openapi-schema-validator';
  const { valid, errors } = await new Validator().validate(JSON.parse(await text(process.stdin)));
  process.stdout.write(JSON.stringify({ valid, errors: errors ?? null }));`;

test('the document is valid OpenAPI 3.1', () => {
  const { document } = apiContract();
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', VALIDATE], {
    input: JSON.stringify(document),
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual({ valid: true, errors: null });
  expect(document).toMatchObject({ openapi: '3.1.1' });
});
