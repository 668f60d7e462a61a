import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { FORMATS } from '../../../lambdas/core/json-schema/formats';
import { KEYWORDS, REFUSED, type Schema } from '../../../lambdas/core/json-schema/keywords';
import { countPassed, LEAST_PASSED } from '../../../scripts/json-schema-suite/count-passed';

const group = (description: string, schema: Schema, valid: boolean) => ({
  description,
  schema,
  tests: [{ description: 'a text', data: 'x', valid }],
});

test('counts the tests of supported keywords, and names those that fail', () => {
  const files = [
    {
      name: 'type.json',
      groups: [group('right', { type: 'string' }, true), group('wrong', { type: 'number' }, true)],
    },
    { name: 'pattern.json', groups: [group('a pattern', { pattern: 'x' }, true)] },
    { name: 'anchor.json', groups: [group('an anchor', { $anchor: 'x' }, true)] },
    { name: 'format.json', groups: [group('a remark', { format: 'date' }, true)] },
  ];
  expect(countPassed(files)).toEqual({ passed: 1, unsupported: 2, failed: ['type.json: wrong: a text'] });
});

test('the page says how many pass, and names each keyword and format', () => {
  const page = readFileSync(join(__dirname, '../../../docs/payload-schemas.md'), 'utf8');
  expect(page).toContain(`has ${LEAST_PASSED.toLocaleString('en')} tests that use only these keywords`);
  for (const name of [...Object.keys(KEYWORDS), ...REFUSED, ...Object.keys(FORMATS)])
    expect(page).toContain(`\`${name}\``);
});
