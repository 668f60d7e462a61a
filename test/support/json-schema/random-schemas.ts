import fc from 'fast-check';

export type RandomSchema = object | boolean;

/** Neither of the other validators reads `__proto__` and `constructor` as plain names. */
const NAMES = ['a', 'b', 'c', 'd'];
const name = fc.constantFrom(...NAMES);
const small = fc.nat(3);
const number = fc.constantFrom(-1, 0, 0.5, 1, 2, 3, 0.1, 0.3, 100);
const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

const mapOf = <T>(value: fc.Arbitrary<T>, options: { minKeys?: number } = {}) =>
  fc
    .uniqueArray(fc.tuple(name, value), {
      selector: ([key]) => key,
      minLength: options.minKeys ?? 0,
      maxLength: 3,
    })
    .map((entries) => Object.fromEntries(entries) as Record<string, T>);

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, false, '', 'a', 'ab', 'abc', '😀'),
    number,
    fc.array(tie('value'), { maxLength: 4 }),
    mapOf(tie('value')),
  ),
})).value;

/** Values of JSON that random schemas may be about. */
export const randomValue = value;

const assertions = fc.oneof(
  fc.record({ type: fc.oneof(fc.constantFrom(...types), fc.subarray(types, { minLength: 1 })) }),
  fc.record({
    enum: fc.uniqueArray(value, {
      minLength: 1,
      maxLength: 3,
      comparator: 'SameValue',
      selector: (one) => JSON.stringify(one),
    }),
  }),
  fc.record({ const: value }),
  fc.record({ minimum: number, maximum: number }, { requiredKeys: [] }),
  fc.record({ exclusiveMinimum: number, exclusiveMaximum: number }, { requiredKeys: [] }),
  fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5) }),
  fc.record({ minLength: small, maxLength: small }, { requiredKeys: [] }),
  fc.record({ minItems: small, maxItems: small, uniqueItems: fc.boolean() }, { requiredKeys: [] }),
  fc.record({ minProperties: small, maxProperties: small }, { requiredKeys: [] }),
  fc.record({ required: fc.subarray(NAMES) }),
  fc.record({ dependentRequired: mapOf(fc.subarray(NAMES)) }),
);

/** Schemas of supported keywords alone. `leaf` has what stands in for a schema at the end. */
export const schemasWith = (leaf: fc.Arbitrary<RandomSchema>): fc.Arbitrary<RandomSchema> =>
  fc.letrec<{ schema: RandomSchema }>((tie) => {
    const schema = tie('schema');
    const list = fc.array(schema, { minLength: 1, maxLength: 3 });
    return {
      schema: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        { weight: 3, arbitrary: leaf },
        fc.record({ allOf: list }),
        fc.record({ anyOf: list }),
        fc.record({ oneOf: list }),
        fc.record({ not: schema }),
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        fc.record({ if: schema, then: schema, else: schema }, { requiredKeys: ['if'] }),
        fc.record({ prefixItems: list, items: schema }, { requiredKeys: [] }),
        fc.record(
          { contains: schema, minContains: small, maxContains: small },
          { requiredKeys: ['contains'] },
        ),
        fc.record(
          { properties: mapOf(schema), additionalProperties: schema, propertyNames: schema },
          { requiredKeys: [] },
        ),
        fc.record({ dependentSchemas: mapOf(schema) }),
      ),
    };
  }).schema;

const references = fc.constantFrom<RandomSchema>({ $ref: '#/$defs/first' }, { $ref: '#/$defs/second' });

/** Whole schemas: their references lead to schemas without any, so that every validator ends. */
export const randomSchema: fc.Arbitrary<object> = fc
  .record({
    first: schemasWith(fc.oneof(assertions, fc.boolean())),
    second: schemasWith(assertions),
    root: schemasWith(fc.oneof(assertions, assertions, references)),
  })
  .map(({ first, second, root }) => ({ $defs: { first, second }, allOf: [root] }));
