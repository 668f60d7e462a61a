import { checkSchema, MAX_LEVELS, MAX_SUBSCHEMAS } from '../../../../lambdas/core/json-schema/check-schema';
import { KEYWORDS, REFUSED } from '../../../../lambdas/core/json-schema/keywords';

const faults = (schema: unknown) =>
  checkSchema(schema).faults.map(({ pointer, message }) => `${pointer} ${message}`);

test('a schema as libraries write it is taken as it is', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Order',
    type: 'object',
    properties: {
      orderId: { type: 'string', description: 'by the shop', format: 'uuid' },
      next: { $ref: '#' },
    },
    required: ['orderId'],
    additionalProperties: false,
    $defs: { 'a/b~c d': { type: 'number' } },
    allOf: [{ $ref: '#/$defs/a~1b~0c%20d' }],
  };
  expect(checkSchema(schema)).toEqual({ faults: [], unchecked: [] });
});

test.each([...REFUSED])('%s is refused by its name, wherever it is', (keyword) => {
  expect(faults({ properties: { a: { [keyword]: '#' } } })).toEqual([
    `/properties/a/${keyword} is not supported`,
  ]);
});

test('a field may have the name of a keyword', () => {
  expect(faults({ properties: { $id: { type: 'string' } }, required: ['$id'] })).toEqual([]);
});

test.each([
  ['https://example.com/order.json', 'must be "#", or begin with "#/": no other reference is followed'],
  ['#order', 'must be "#", or begin with "#/": no other reference is followed'],
  ['#/%', 'must be "#", or begin with "#/": no other reference is followed'],
  ['#/$defs/order', 'leads to no schema of this document'],
  ['#/properties', 'leads to no schema of this document'],
  ['#/properties/a/const', 'leads to no schema of this document'],
  ['#/__proto__', 'leads to no schema of this document'],
])('the reference %s: %s', ($ref, message) => {
  expect(faults({ properties: { a: { const: {} } }, $ref })).toEqual([`/$ref ${message}`]);
});

test('another version is refused', () => {
  expect(faults({ $schema: 'http://json-schema.org/draft-07/schema#' })).toEqual([
    '/$schema must be https://json-schema.org/draft/2020-12/schema: no other version is supported',
  ]);
});

test('each keyword checks what it is given', () => {
  const wrong = {
    any: undefined,
    text: 5,
    schema: 5,
    flag: 'yes',
    'name-lists': { a: 'b' },
    'schema-map': [],
  } as const;
  for (const [keyword, kind] of Object.entries(KEYWORDS)) {
    const value = (wrong as Record<string, unknown>)[kind] ?? 'x';
    if (kind !== 'any')
      expect({ keyword, faults: faults({ [keyword]: value }) }).not.toEqual({ keyword, faults: [] });
  }
});

test('what is not checked is named', () => {
  const schema = {
    properties: { email: { format: 'email', pattern: '@' }, page: { format: 'iri' }, age: { minimun: 3 } },
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: false,
  };
  expect(checkSchema(schema).unchecked).toEqual([
    '/properties/email/pattern',
    '/properties/page/format',
    '/properties/age/minimun',
    '/patternProperties',
    '/additionalProperties',
  ]);
});

test('sizes are bounded', () => {
  const deep = (levels: number): object => (levels === 1 ? {} : { not: deep(levels - 1) });
  expect(faults(deep(MAX_LEVELS))).toEqual([]);
  expect(faults(deep(MAX_LEVELS + 1))[0]).toMatch(/ is deeper than 20 levels of schemas$/);
  const wide = (count: number) => ({ allOf: Array.from({ length: count - 1 }, () => ({})) });
  expect(faults(wide(MAX_SUBSCHEMAS))).toEqual([]);
  expect(faults(wide(MAX_SUBSCHEMAS + 1))).toEqual([' must have at most 500 subschemas, not 501']);
  expect(faults({ title: 'x'.repeat(17_000) })).toEqual([
    ' must have at most 16384 bytes as JSON, not 17012',
  ]);
});
