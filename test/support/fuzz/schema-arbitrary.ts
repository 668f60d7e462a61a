import * as fc from 'fast-check';

import type { Schema } from '../api-contract';

/** Values, by name, for properties whose schemas do not say enough. Each fits its schema. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const MAX_DEPTH = 12;

interface ObjectSchema {
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

/** Values that fit a JSON schema of an OpenAPI document. Throws for keywords that it does not know. */
export function fitting(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  hints: Hints,
): fc.Arbitrary<unknown> {
  return new Fitting(schemas, hints).of(schema, 0);
}

class Fitting {
  constructor(
    private readonly schemas: Readonly<Record<string, Schema>>,
    private readonly hints: Hints,
  ) {}

  of(given: Schema, depth: number): fc.Arbitrary<unknown> {
    if (depth > MAX_DEPTH) throw new Error('the schema nests too deeply, or endlessly');
    if (given.$ref !== undefined)
      return this.of(this.schemas[(given.$ref as string).split('/').at(-1)!]!, depth);
    if (given.const !== undefined) return fc.constant(given.const);
    if (given.enum) return fc.constantFrom(...(given.enum as unknown[]));
    const branches = (given.anyOf ?? given.oneOf) as Schema[] | undefined;
    if (branches) return fc.oneof(...branches.map((branch) => this.of(branch, depth + 1)));
    if (Array.isArray(given.type))
      return fc.oneof(...given.type.map((type: string) => this.of({ ...given, type }, depth)));
    return this.ofType(given, depth);
  }

  private ofType(given: Schema, depth: number): fc.Arbitrary<unknown> {
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
        return fc.array(this.of((given.items ?? {}) as Schema, depth + 1), {
          minLength: given.minItems as number,
          maxLength: Math.min((given.maxItems as number | undefined) ?? 5, 5),
        });
      case 'object':
        return this.objects(given as ObjectSchema, depth);
      default:
        throw new Error(`a schema of type ${JSON.stringify(given.type)}`);
    }
  }

  private objects(
    { properties = {}, required = [], additionalProperties }: ObjectSchema,
    depth: number,
  ): fc.Arbitrary<unknown> {
    const possible = Object.entries(properties).filter(([, property]) => property.not === undefined);
    if (possible.length === 0 && additionalProperties !== false) {
      const values =
        typeof additionalProperties === 'object' ? this.of(additionalProperties, depth + 1) : fc.jsonValue();
      return fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,10}$/), values, { maxKeys: 4 });
    }
    return fc.record(
      Object.fromEntries(
        possible.map(([name, property]) => [name, this.hints[name] ?? this.of(property, depth + 1)]),
      ),
      { requiredKeys: required, noNullPrototype: true },
    );
  }
}

function texts({ pattern, examples, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const free = pattern
    ? // fast-check has no lookahead. Without it, some texts do not fit, which is a useful case too.
      fc.stringMatching(new RegExp((pattern as string).replaceAll(/\(\?=[^)]*\)/g, '')))
    : fc.string({
        minLength: minLength as number,
        maxLength: Math.min((maxLength as number | undefined) ?? 40, 40),
      });
  return examples ? fc.oneof(fc.constantFrom(...(examples as string[])), free) : free;
}
