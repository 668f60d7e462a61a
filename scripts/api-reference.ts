/** The API's reference in Markdown, from its OpenAPI document: one section for each operation, then its schemas. */

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  additionalProperties?: boolean | Schema;
}

interface Body {
  description?: string;
  required?: boolean;
  content?: Record<string, { schema?: Schema; example?: unknown }>;
  $ref?: string;
}

interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

export interface ApiDocument {
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Body> };
}

const HEAD = `# API reference

Made from the OpenAPI document (\`GET /v1/openapi.json\`, \`npm run openapi\`) by \`npm run docs:api\`; not to be changed by hand.

Every call but \`/v1/health\` and \`/v1/openapi.json\` needs \`Authorization: Bearer <JWT>\`; the user is its \`sub\`. JSON in and out. Instants are RFC 3339 in UTC
with milliseconds; durations are \`30s\`, \`10m\`, \`36h\`, \`7d\` or ISO 8601. Unknown fields are errors. Errors are \`application/problem+json\`, and name
the fields that were refused. Lists answer \`{ items, nextCursor }\`: give the cursor back as \`?cursor=\` with the same filters.
`;

/** Throws where the document lacks what a reader needs. */
export function apiReference(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = (document.tags ?? []).map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(name));
    return [`## ${name}`, description ?? '', ...own.map((one) => operationText(one, document))].join('\n\n');
  });
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'OpenApiDocument')
    .map(([name, schema]) => schemaText(name, schema));
  return `${[HEAD, ...sections, '## Schemas', ...schemas].join('\n\n')}\n`.replace(/\n{3,}/g, '\n\n');
}

function operationText(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  document: ApiDocument,
): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const rows = parameters
    .filter((parameter) => parameter.in !== 'path')
    .map((parameter) => {
      const { name, required, schema = {} } = parameter;
      const text = [parameter.description ?? schema.description, limitsOf(schema)].filter(Boolean).join(' ');
      return [`\`${name}\`${required ? ' (required)' : ''}`, parameter.in, typeOf(schema), text];
    });
  const answers = Object.entries(responses).map(([status, given]) => {
    const body = given.$ref ? (document.components.responses?.[nameOf(given.$ref)] ?? given) : given;
    return [status, contentType(body), oneLine(body.description ?? '')];
  });
  return [
    `### ${method} \`${path}\``,
    summary ? `**${summary}.**` : '',
    description ?? '',
    rows.length > 0 ? table(['Parameter', 'In', 'Type', ''], rows) : '',
    requestBody ? `Body${requestBody.required ? '' : ' (may be left out)'}: ${contentType(requestBody)}` : '',
    exampleText(requestBody),
    table(['Status', 'Body', ''], answers),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function exampleText(body: Body | undefined): string {
  const example = Object.values(body?.content ?? {})[0]?.example;
  return example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}

const contentType = ({ content = {} }: Body): string => {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(content);
  if (type === '') return '–';
  return type === 'application/json' || type === 'application/problem+json'
    ? typeOf(schema)
    : `${typeOf(schema)} as \`${type}\``;
};

function schemaText(name: string, schema: Schema): string {
  const { description, properties } = schema;
  const rows = Object.entries(properties ?? {})
    .filter(([, property]) => !property.not)
    .map(([field, property]) => [
      `\`${field}\`${schema.required?.includes(field) ? ' (required)' : ''}`,
      typeOf(property),
      property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``,
      [property.description, limitsOf(property)].filter(Boolean).join(' '),
    ]);
  const body = rows.length > 0 ? table(['Field', 'Type', 'Default', ''], rows) : typeOf(schema);
  return [`### ${name}`, description ?? '', body].filter(Boolean).join('\n\n');
}

/** A type in a few words; objects by their fields, where they have no name. */
function typeOf(schema: Schema): string {
  if (schema.$ref) return `[${nameOf(schema.$ref)}](#${nameOf(schema.$ref).toLowerCase()})`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' ');
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches) return branches.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.properties) return fieldsText(schema);
  if (typeof schema.additionalProperties === 'object')
    return `object of ${typeOf(schema.additionalProperties)}`;
  return [schema.type ?? 'any'].flat().join(' or ');
}

function fieldsText({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties)
    .filter(([, property]) => !property.not)
    .map(([name, property]) => {
      const byDefault = property.default === undefined ? '' : ` = \`${JSON.stringify(property.default)}\``;
      return `\`${name}${required.includes(name) ? '' : '?'}\`: ${typeOf(property)}${byDefault}`;
    });
  return `{ ${fields.join(', ')} }`;
}

function limitsOf({ minimum, maximum, minLength, maxLength, maxItems }: Schema): string {
  const between = (from: number | undefined, to: number | undefined, what: string) =>
    to === undefined || to > 1e12 ? '' : `${from ?? 0} to ${to}${what}.`;
  return [
    between(minimum, maximum, ''),
    between(minLength, maxLength, ' characters'),
    maxItems === undefined ? '' : `At most ${maxItems}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref;

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
