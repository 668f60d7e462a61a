import { isObject } from '../is-object';

/** The keywords of a JSON Schema that are read here. */
export interface Schema {
  $ref?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

type ObjectValue = Record<string, unknown>;

/**
 * Fills in a value's missing fields with the defaults of its schema, at any depth. `schemas` resolves
 * `$ref`s.
 */
export function withSchemaDefaults(
  value: unknown,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
): unknown {
  const branch = branchFor(value, schema, schemas);
  if (Array.isArray(value))
    return branch.items
      ? value.map((item) => withSchemaDefaults(item, branch.items as Schema, schemas))
      : value;
  if (!isObject(value)) return value;
  const filled: ObjectValue = { ...value };
  const { additionalProperties } = branch;
  if (isObject(additionalProperties))
    for (const [name, given] of Object.entries(value))
      if (!Object.hasOwn(branch.properties ?? {}, name))
        filled[name] = withSchemaDefaults(given, additionalProperties as Schema, schemas);
  for (const [name, property] of Object.entries(branch.properties ?? {})) {
    const given = filled[name] === undefined ? resolved(property, schemas).default : filled[name];
    if (given !== undefined) filled[name] = withSchemaDefaults(given, property, schemas);
  }
  return filled;
}

/** The schema itself, or the branch of its `anyOf`, `oneOf` or `allOf` whose constants match the value. */
function branchFor(value: unknown, schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const own = resolved(schema, schemas);
  const branches = own.anyOf ?? own.oneOf ?? own.allOf;
  if (!branches || !isObject(value)) return own;
  const fitting = branches
    .map((branch) => branchFor(value, branch, schemas))
    .find((branch) => fits(value, branch));
  return fitting ?? own;
}

function fits(value: ObjectValue, { properties }: Schema): boolean {
  if (!properties) return false;
  return Object.entries(properties).every(
    ([name, property]) =>
      property.const === undefined || value[name] === undefined || value[name] === property.const,
  );
}

/** The schema behind a `$ref`. Keywords beside the reference, such as a default, override it. */
function resolved(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const { $ref: _, ...beside } = schema;
  return { ...resolved(schemas[name] ?? {}, schemas), ...beside };
}
