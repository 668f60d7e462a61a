import { evaluate, MAX_SCHEMA_STEPS } from '../../../../lambdas/core/json-schema/evaluate';
import type { Schema } from '../../../../lambdas/core/json-schema/keywords';

const order = {
  type: 'object',
  properties: {
    orderId: { type: 'string', minLength: 3 },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { count: { type: 'integer', minimum: 1 } } },
    },
    region: { enum: ['eu', 'us'] },
  },
  required: ['orderId'],
  additionalProperties: false,
} as const;

const misfits = (schema: Schema, value: unknown) => {
  const outcome = evaluate(schema, value);
  return outcome.is === 'unfit'
    ? outcome.misfits.map(({ parts, keyword, message }) => [parts.join('/'), keyword, message])
    : outcome.is;
};

test('a value that fits', () => {
  expect(misfits(order, { orderId: 'A-1', lines: [{ count: 2 }], region: 'eu' })).toBe('fits');
});

test('each misfit has its path, its keyword, and what is allowed there', () => {
  const value = { lines: [{ count: 1 }, { count: 0 }, { count: 1.5 }], region: 'de', note: 'x' };
  expect(misfits(order, value)).toEqual([
    ['lines/1/count', 'minimum', 'must be at least 1'],
    ['lines/2/count', 'type', 'must be a whole number, not 1.5'],
    ['region', 'enum', 'must be one of "eu", "us"'],
    ['orderId', 'required', 'is required'],
    ['note', 'additionalProperties', 'is not a known field'],
  ]);
});

test('50 misfits are enough', () => {
  const value = Array.from({ length: 200 }, () => 'x');
  expect(misfits({ items: { type: 'number' } }, value)).toHaveLength(50);
});

describe('a list of schemas', () => {
  const orNull = { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] };

  test('says what is wrong by the only one that has the type of the value', () => {
    expect(misfits(orNull, 'x')).toEqual([['', 'minLength', 'must have at least 2 characters']]);
  });

  test('says which types there are, if the value has none of them', () => {
    expect(misfits(orNull, 5)).toEqual([
      ['', 'anyOf', 'must be a text, not a number; or must be null, not a number'],
    ]);
  });

  test('says that several fit', () => {
    expect(misfits({ oneOf: [{ type: 'number' }, { minimum: 1 }] }, 5)).toEqual([
      ['', 'oneOf', 'must fit only one of the schemas of oneOf, not 2'],
    ]);
  });
});

const condition = (test: Schema, then: Schema, otherwise: Schema): Schema => ({
  if: test,
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then,
  else: otherwise,
});

describe('what is not run decides nothing', () => {
  const pattern = { pattern: '^x*x*x*y$' };

  test.each<[string, Schema]>([
    ['itself', pattern],
    ['a schema that must not fit', { not: pattern }],
    ['exactly one', { oneOf: [pattern, pattern] }],
    ['one and a sure one', { oneOf: [pattern, true] }],
    ['a condition', condition(pattern, { maxLength: 1 }, { minLength: 1 })],
    ['a format that is not known', { not: { format: 'iri' } }],
    ['a format of a long text', { format: 'date' }],
  ])('%s', (_, schema) => {
    expect(misfits(schema, 'x'.repeat(4_000))).toBe('fits');
  });

  test('items that may or may not fit count as both', () => {
    expect(misfits({ contains: pattern, minContains: 2 }, ['a', 'b'])).toBe('fits');
    expect(misfits({ contains: pattern, maxContains: 1 }, ['a', 'b'])).toBe('fits');
  });

  test('a field that a pattern may match is not refused', () => {
    expect(misfits({ patternProperties: { '^x-': true }, additionalProperties: false }, { 'x-a': 1 })).toBe(
      'fits',
    );
  });

  test('what both branches of such a condition refuse is refused', () => {
    const schema = condition(pattern, { maxLength: 1 }, { maxLength: 2 });
    expect(misfits(schema, 'xxx')).toEqual([['', 'maxLength', 'must have at most 1 character']]);
  });
});

test('`__proto__` is a name like any other', () => {
  const schema = JSON.parse(
    '{ "properties": { "__proto__": { "type": "number" } }, "required": ["__proto__"] }',
  );
  expect(misfits(schema, JSON.parse('{ "__proto__": 1 }'))).toBe('fits');
  expect(misfits(schema, JSON.parse('{ "__proto__": "x" }'))).toEqual([
    ['__proto__', 'type', 'must be a number, not a text'],
  ]);
  expect(misfits(schema, {})).toEqual([['__proto__', 'required', 'is required']]);
  expect(misfits({ properties: { constructor: { type: 'number' } } }, {})).toBe('fits');
});

describe('steps', () => {
  test('a schema that doubles with each reference ends', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 41 }, (_, level) => [
        `d${level}`,
        level === 40
          ? { type: 'number' }
          : { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
      ]),
    );
    expect(misfits({ $defs, $ref: '#/$defs/d0' }, 1)).toBe('too-complex');
  });

  test('a reference to itself ends', () => {
    expect(misfits({ $ref: '#' }, 1)).toBe('too-complex');
  });

  test('each value counts', () => {
    const schema = { items: { type: 'number' } };
    const items = (count: number) => Array.from({ length: count }, () => 1);
    expect(evaluate(schema, items(10), 22)).toEqual({ is: 'fits' });
    expect(evaluate(schema, items(10), 21)).toEqual({ is: 'too-complex' });
    expect(evaluate(schema, items(MAX_SCHEMA_STEPS / 2))).toEqual({ is: 'too-complex' });
  });

  test('items are told apart in the time of their number, not of its square', () => {
    const items = Array.from({ length: 2_000 }, (_, id) => ({ id }));
    expect(misfits({ uniqueItems: true }, items)).toBe('fits');
    expect(misfits({ uniqueItems: true }, [...items, { id: 7 }])).toEqual([
      ['', 'uniqueItems', 'must not have an item twice'],
    ]);
  });

  test('items are equal by their values, and not by how they are written', () => {
    const isUnique = (...items: unknown[]) => misfits({ uniqueItems: true }, items) === 'fits';
    expect(isUnique(1, '1', true, 'true', null, 'null', [1], '[1]', { a: 1 }, '{"a":1}', [[]], [], {})).toBe(
      true,
    );
    expect(isUnique({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(false);
    expect([isUnique(0, -0), isUnique('a', 'a'), isUnique([1, 2], [1, 2])]).toEqual([false, false, false]);
  });

  test('a misfit is named also if it is found late, and many are named in part', () => {
    const items = (first: unknown) => Array.from({ length: 40_000 }, (_, at) => (at < 39_999 ? first : 'x'));
    const numbers = { items: { type: 'number' } };
    expect(misfits(numbers, items(1))).toEqual([['39999', 'type', 'must be a number, not a text']]);
    expect(misfits(numbers, items('x'))).toHaveLength(50);
  });
});

test.each([
  [0.0075, 0.0001, 'fits'],
  [0.00751, 0.0001, 'unfit'],
  [4.5, 1.5, 'fits'],
  [1e308, 0.5, 'fits'],
  [1.1, 1e-300, 'fits'],
  [35, 7, 'fits'],
  [-3, 2, 'unfit'],
])('%d as a multiple of %d: %s', (value, multipleOf, is) => {
  expect(evaluate({ multipleOf }, value).is).toBe(is);
});
