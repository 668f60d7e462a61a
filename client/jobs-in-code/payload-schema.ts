import { serverView } from './server-keywords';

/** Where the schema of a job's payload is from, which the server checks too. */
export type SchemaSource = 'given' | 'standard-json-schema' | 'none';

export interface DerivedSchema {
  payloadSchema?: Record<string, unknown>;
  schemaFrom: SchemaSource;
  /** Pointers to what the server does not check of it. */
  unchecked: string[];
  /** Why there is none, although the job has a schema. */
  missing?: string;
}

const MAX_BYTES = 16_384;

/**
 * The JSON Schema of what a job takes, by its Standard Schema (https://standardschema.dev/json-schema). It is
 * a help: a schema that has none, or one that the server refuses, is no error.
 */
export function derivedSchema(definition: { payloadSchema?: unknown }, schema: unknown): DerivedSchema {
  if ('payloadSchema' in definition)
    return { schemaFrom: 'given', unchecked: serverView(definition.payloadSchema).unchecked };
  const none = (missing?: string): DerivedSchema => ({
    schemaFrom: 'none',
    unchecked: [],
    ...(missing !== undefined && { missing }),
  });
  if (schema === undefined) return none();
  const standard = (schema as { '~standard'?: { jsonSchema?: { input?: unknown } } })['~standard'];
  const input = standard?.jsonSchema?.input;
  if (typeof input !== 'function') return none('its library has no JSON Schema');
  let text: string | undefined;
  try {
    text = JSON.stringify(input.call(standard!.jsonSchema, { target: 'draft-2020-12' }));
  } catch (error) {
    return none(error instanceof Error ? error.message : String(error));
  }
  if (text === undefined || !text.startsWith('{')) return none('its library has no JSON Schema');
  if (new TextEncoder().encode(text).length > MAX_BYTES) return none(`it has more than ${MAX_BYTES} bytes`);
  const payloadSchema = JSON.parse(text) as Record<string, unknown>;
  const { refused, unchecked } = serverView(payloadSchema);
  if (refused !== undefined) return none(`the server refuses ${refused}`);
  return { payloadSchema, schemaFrom: 'standard-json-schema', unchecked };
}
