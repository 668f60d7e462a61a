import * as fc from 'fast-check';

import type { Schema } from '../api-contract';

/** Values for properties whose meaning no schema tells, by name; each fits its schema. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const MAX_DEPTH = 12;

/** Values that fit a JSON schema of an OpenAPI document. Throws at keywords that it does not know. */
export function fitting(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  hints: Hints,
): fc.Arbitrary<unknown> {
  const of = (given: Schema, depth: number): fc.Arbitrary<unknown> => {
    if (depth > MAX_DEPTH) throw new Error('the schema nests too deep, or for ever');
    if (given.$ref !== undefined) return of(schemas[(given.$ref as string).split('/').at(-1)!]!, depth);
    if (given.const !== undefined) return fc.constant(given.const);
    if (given.enum) return fc.constantFrom(...(given.enum as unknown[]));
    const branches = (given.anyOf ?? given.oneOf) as Schema[] | undefined;
    if (branches) return fc.oneof(...branches.map((branch) => of(branch, depth + 1)));
    if (Array.isArray(given.type))
      return fc.oneof(...given.type.map((type: string) => of({ ...given, type }, depth)));
    switch (given.type) {
      case undefined:
        return fc.jsonValue({ maxDepth: 3 });
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: given.minimum as number, max: given.maximum as number });
      case 'number':
        return fc.double({ min: given.minimum as number, max: given.maximum as number, noNaN: true });
      case 'string':
        return texts(given);
      case 'array':
        return fc.array(of((given.items ?? {}) as Schema, depth + 1), {
          minLength: given.minItems as number,
          maxLength: Math.min((given.maxItems as number | undefined) ?? 5, 5),
        });
      case 'object':
        return objects(given, depth);
      default:
        throw new Error(`a schema of type ${JSON.stringify(given.type)}`);
    }
  };

  const objects = (given: Schema, depth: number): fc.Arbitrary<unknown> => {
    const {
      properties = {},
      required = [],
      additionalProperties,
    } = given as {
      properties?: Record<string, Schema>;
      required?: string[];
      additionalProperties?: Schema | boolean;
    };
    const possible = Object.entries(properties).filter(([, property]) => property.not === undefined);
    if (possible.length === 0 && additionalProperties !== false) {
      const values =
        typeof additionalProperties === 'object' ? of(additionalProperties, depth + 1) : fc.jsonValue();
      return fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,10}$/), values, { maxKeys: 4 });
    }
    return fc.record(
      Object.fromEntries(possible.map(([name, property]) => [name, hints[name] ?? of(property, depth + 1)])),
      { requiredKeys: required, noNullPrototype: true },
    );
  };

  return of(schema, 0);
}

function texts({ pattern, examples, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const free = pattern
    ? // fast-check knows no lookahead; what it makes without is sometimes wrong, which is as good
      fc.stringMatching(new RegExp((pattern as string).replaceAll(/\(\?=[^)]*\)/g, '')))
    : fc.string({
        minLength: minLength as number,
        maxLength: Math.min((maxLength as number | undefined) ?? 40, 40),
      });
  return examples ? fc.oneof(fc.constantFrom(...(examples as string[])), free) : free;
}
