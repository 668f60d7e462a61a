/** Makes the API reference in Markdown from the OpenAPI document: the operations by tag, then the schemas. */

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

interface Route {
  path: string;
  method: string;
  operation: Operation;
}

interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: Body;
  responses: Record<string, Body>;
  /** Empty: no token is needed. */
  security?: unknown[];
}

export interface ApiDocument {
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Body> };
}

/** For those who edit `docs/api.md`, not for its readers: the site leaves it out. */
export const FOR_EDITORS =
  '<!-- Made by `npm run docs:api` from the OpenAPI document. An edit here is lost. -->\n\n';

const headOf = (open: readonly string[]): string => `# API reference

The OpenAPI document has the same for programs: \`GET /v1/openapi.json\`.

- **Authorization.** Every call needs \`Authorization: Bearer <JWT>\`, but for these: ${open.join(', ')}.
  The token says which projects its owner has.
- **Project.** A token of several projects names one by the header \`Quarterjack-Project\`.
- **Format.** Requests and responses are JSON. Times are RFC 3339 in UTC with milliseconds. Durations are \`30s\`,
  \`10m\`, \`36h\`, \`7d\` or ISO 8601. Unknown fields are errors.
- **Errors** are \`application/problem+json\`, and name the fields that were rejected.
- **Lists** respond with \`{ items, nextCursor }\`. Pass the cursor back as \`?cursor=\`, with the same filters.
`;

/** Nearly every operation takes it: the head has it in place of each of them. */
const SAID_IN_HEAD = 'Quarterjack-Project';

/** The schema of the OpenAPI document itself has no section: it would say nothing. */
const UNDESCRIBED = 'OpenApiDocument';

/** The reference as Markdown. Its tables are not padded: that would be most of its bytes. */
export function apiReference(document: ApiDocument): string {
  const operations: Route[] = Object.entries({ ...document.paths, ...document.webhooks }).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
  );
  const sections = (document.tags ?? []).map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(name));
    return [`## ${name}`, description ?? '', ...own.map((one) => operationText(one))].join('\n\n');
  });
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => name !== UNDESCRIBED)
    .map(([name, schema]) => schemaText(name, schema));
  const problems = problemsText(document.components.responses ?? {});
  const head = headOf(openCalls(document));
  return `${[head, problems, ...sections, '## Schemas', ...schemas].join('\n\n')}\n`.replace(
    /\n{3,}/g,
    '\n\n',
  );
}

/** The calls that need no token: `GET /v1/health`. */
const openCalls = ({ paths }: ApiDocument): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length === 0)
      .map(([method]) => `\`${method.toUpperCase()} ${path}\``),
  );

/** What many operations answer, said once. */
function problemsText(responses: Record<string, Body>): string {
  const rows = Object.entries(responses)
    .map(([name, { description = '' }]) => [statusOf(name), description])
    .toSorted(([one = ''], [other = '']) => one.localeCompare(other));
  return ['## Problems', 'Their body is a [Problem](#problem).', table(['Status', ''], rows)].join('\n\n');
}

/** `Problem404`: `404` */
const statusOf = (name: string): string => name.replace('Problem', '');

function operationText({ path, method, operation }: Route): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const rows = parameters
    .filter((parameter) => parameter.in !== 'path' && parameter.name !== SAID_IN_HEAD)
    .map((parameter) => {
      const { name, required, schema = {} } = parameter;
      const text = [parameter.description ?? schema.description, limitsOf(schema)].filter(Boolean).join(' ');
      return [`\`${name}\`${required ? ' (required)' : ''}`, parameter.in, typeOf(schema), text];
    });
  const own = Object.entries(responses).filter(([, body]) => !body.$ref);
  const responseRows = own.map(([status, body]) => [status, contentType(body), body.description ?? '']);
  const problems = Object.values(responses).flatMap(({ $ref }) => ($ref ? [statusOf(nameOf($ref))] : []));
  return [
    `### ${method} \`${path}\``,
    summary ? `**${summary}.**` : '',
    description ?? '',
    rows.length > 0 ? table(['Parameter', 'In', 'Type', ''], rows) : '',
    requestBody ? `Body${requestBody.required ? '' : ' (optional)'}: ${contentType(requestBody)}` : '',
    exampleText(requestBody),
    table(['Status', 'Body', ''], responseRows),
    problems.length > 0 ? `[Problems](#problems): ${problems.toSorted().join(', ')}.` : '',
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

/** A type in a few words. An object without a name is described by its fields. */
function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    return name === UNDESCRIBED ? name : `[${name}](#${name.toLowerCase()})`;
  }
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
