import { isObject } from './is-object';

/** What stands in the place of what has no type of its own, or would make the text too long. */
const ANYTHING = 'unknown';
const MAX_DEPTH = 12;
const MAX_PARTS = 2_000;

/**
 * The types of the payloads of jobs, as a module of TypeScript. Any editor of the project may write a schema.
 * So names and values stand in the module as texts of JSON alone, and no description does.
 */
export function payloadTypes(
  jobs: readonly { jobId: string; payloadSchema?: Readonly<Record<string, unknown>> | undefined }[],
): string {
  const fields = jobs.map(({ jobId, payloadSchema }) => {
    const parts = { left: MAX_PARTS };
    const type = payloadSchema ? typeOf(payloadSchema, { root: payloadSchema, depth: 0, parts }) : ANYTHING;
    return `  ${JSON.stringify(jobId)}: ${type};\n`;
  });
  return `/** Payloads of jobs by their ids. Written by \`quarterjack types\`. */\nexport interface Payloads {\n${fields.join('')}}\n`;
}

interface Place {
  root: unknown;
  depth: number;
  parts: { left: number };
}

function typeOf(schema: unknown, at: Place): string {
  if (schema === false) return 'never';
  if (!isObject(schema) || at.depth > MAX_DEPTH || at.parts.left-- <= 0) return ANYTHING;
  const below = { ...at, depth: at.depth + 1 };
  const of = (inner: unknown) => typeOf(inner, below);
  const all = [
    ...(typeof schema.$ref === 'string' ? [of(targetOf(schema.$ref, at.root))] : []),
    ...('const' in schema ? [literal(schema.const)] : []),
    ...(Array.isArray(schema.enum) ? [either(schema.enum.map(literal))] : []),
    ...typesIn(schema, of),
    ...listIn(schema.anyOf)
      .slice(0, 1)
      .map(() => either(listIn(schema.anyOf).map(of))),
    ...listIn(schema.oneOf)
      .slice(0, 1)
      .map(() => either(listIn(schema.oneOf).map(of))),
    ...listIn(schema.allOf).map(of),
  ].filter((type) => type !== ANYTHING);
  const different = [...new Set(all)];
  if (different.length === 0) return ANYTHING;
  return different.length === 1 ? different[0]! : different.map((type) => `(${type})`).join(' & ');
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function either(types: readonly string[]): string {
  const different = [...new Set(types)];
  if (different.includes(ANYTHING)) return ANYTHING;
  if (different.length === 1) return different[0]!;
  return different.length === 0 ? 'never' : different.map((type) => `(${type})`).join(' | ');
}

const literal = (value: unknown): string =>
  typeof value === 'object' && value !== null ? ANYTHING : JSON.stringify(value);

const PLAIN = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' };

function typesIn(schema: Readonly<Record<string, unknown>>, of: (inner: unknown) => string): string[] {
  const { type } = schema;
  const named = type === undefined && isObject(schema.properties) ? ['object'] : [type].flat();
  const types = named.flatMap((one) => {
    if (one === 'array') return [`Array<${schema.prefixItems ? ANYTHING : of(schema.items)}>`];
    if (one === 'object') return [objectOf(schema, of)];
    return typeof one === 'string' && Object.hasOwn(PLAIN, one) ? [PLAIN[one as keyof typeof PLAIN]] : [];
  });
  return types.length === 0 ? [] : [either(types)];
}

function objectOf(schema: Readonly<Record<string, unknown>>, of: (inner: unknown) => string): string {
  const { properties, required, additionalProperties } = schema;
  const known = isObject(properties) ? Object.entries(properties) : [];
  const names = new Set(listIn(required));
  const fields = known.map(([name, inner]) => {
    return `${JSON.stringify(name)}${names.has(name) ? '' : '?'}: ${of(inner)}`;
  });
  const more = additionalProperties === false ? [] : ['[name: string]: unknown'];
  return `{ ${[...fields, ...more].join('; ')} }`;
}

function targetOf(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#')) return undefined;
  return ref
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, part) =>
        (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, part)
          ? (at as Record<string, unknown>)[part]
          : undefined,
      root,
    );
}
