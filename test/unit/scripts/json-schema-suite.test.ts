import type { Schema } from '../../../lambdas/core/json-schema/keywords';
import { countPassed } from '../../../scripts/json-schema-suite/count-passed';

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
