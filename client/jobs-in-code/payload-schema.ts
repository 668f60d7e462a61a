/** Where the schema of a job's payload is from, which the server checks too. */
export type SchemaSource = 'given' | 'standard-json-schema' | 'none';

export interface DerivedSchema {
  payloadSchema?: Record<string, unknown>;
  schemaFrom: SchemaSource;
  /** Why there is none, although the job has a schema. */
  missing?: string;
}

const MAX_BYTES = 16_384;
/** The server refuses these names. Without one of them, a schema is checked in the program alone. */
const REFUSED =
  /"(\$id|\$anchor|\$dynamicRef|\$dynamicAnchor|\$recursiveRef|\$recursiveAnchor|\$vocabulary|unevaluatedItems|unevaluatedProperties|contentSchema)":/;

/**
 * The JSON Schema of what a job takes, by its Standard Schema (https://standardschema.dev/json-schema). It is
 * a help: a schema that has none, or one that the server refuses, is no error.
 */
export function derivedSchema(definition: object, schema: unknown): DerivedSchema {
  if ('payloadSchema' in definition) return { schemaFrom: 'given' };
  if (schema === undefined) return { schemaFrom: 'none' };
  const none = (missing: string): DerivedSchema => ({ schemaFrom: 'none', missing });
  const standard = (schema as { '~standard'?: { jsonSchema?: { input?: unknown } } })['~standard'];
  const input = standard?.jsonSchema?.input;
  if (typeof input !== 'function') return none('its library has no JSON Schema');
  let made: unknown;
  try {
    made = input.call(standard!.jsonSchema, { target: 'draft-2020-12' });
  } catch (error) {
    return none(error instanceof Error ? error.message : String(error));
  }
  if (typeof made !== 'object' || made === null || Array.isArray(made))
    return none('its library has no JSON Schema');
  const text = JSON.stringify(made);
  const [, refused] = REFUSED.exec(text) ?? [];
  if (refused !== undefined) return none(`the server refuses ${refused}`);
  if (new TextEncoder().encode(text).length > MAX_BYTES) return none(`it has more than ${MAX_BYTES} bytes`);
  return { payloadSchema: made as Record<string, unknown>, schemaFrom: 'standard-json-schema' };
}
