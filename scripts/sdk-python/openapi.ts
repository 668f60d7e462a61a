/** The parts of the OpenAPI document that the Python client is made of. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** An operation with its method and path. */
export interface Route extends Operation {
  method: string;
  path: string;
}

export const routesOf = ({ paths }: Document): Route[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** `lastStatus` as `last_status`, and `from` as `from_`, which Python has as a word of its own. */
export const snake = (name: string): string => {
  const text = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return text === 'from' ? 'from_' : text;
};

/** The type of an argument: `models.Job`, `str | datetime`, `Literal["a", "b"]`. */
export function pythonType(schema: Schema): string {
  const { $ref, type, items, enum: values, anyOf } = schema;
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return name === 'Instant' ? 'str | datetime' : `models.${name}`;
  }
  if (values) return `Literal[${values.map((one) => JSON.stringify(one)).join(', ')}]`;
  if (anyOf) return [...new Set(anyOf.map(pythonType))].join(' | ');
  if (type === 'array') return `Sequence[${pythonType(items ?? {})}]`;
  if (type === 'string') return 'str';
  if (type === 'integer') return 'int';
  if (type === 'number') return 'float';
  if (type === 'boolean') return 'bool';
  return 'Any';
}
