/** What the server makes of a JSON Schema. It says so when a job is saved, and a manifest says it before. */
export interface ServerView {
  /** A keyword for which it refuses the whole schema. */
  refused: string | undefined;
  /** Pointers to what it does not check: patterns, some formats, and keywords that it does not know. */
  unchecked: string[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const LISTS = words('prefixItems allOf anyOf oneOf');
const MAPS = words('properties dependentSchemas $defs definitions');
const SCHEMAS = words('items contains additionalProperties propertyNames not if then else');
const PLAIN = new Set([
  ...words(
    'type enum const multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength',
  ),
  ...words('format minItems maxItems uniqueItems minContains maxContains minProperties maxProperties'),
  ...words('required dependentRequired $ref $schema $comment title description default examples'),
  ...words('deprecated readOnly writeOnly contentEncoding contentMediaType'),
]);
const REFUSED = words(
  '$id $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary unevaluatedItems ' +
    'unevaluatedProperties contentSchema',
);
const FORMATS = words('date-time date time duration email hostname ipv4 ipv6 uri uuid');
const MAX_UNCHECKED = 50;

const KNOWN = [LISTS, MAPS, SCHEMAS, PLAIN];

export function serverView(schema: unknown): ServerView {
  const view: ServerView = { refused: undefined, unchecked: [] };
  visit(schema, '', view);
  return { ...view, unchecked: view.unchecked.slice(0, MAX_UNCHECKED) };
}

function visit(schema: unknown, pointer: string, view: ServerView): void {
  if (!isObject(schema)) return;
  for (const [name, argument] of Object.entries(schema)) {
    const at = pointer + part(name);
    if (REFUSED.has(name) || (name === '$ref' && !/^#(?:\/|$)/.test(String(argument)))) view.refused ??= name;
    else if (isUnchecked(name, argument, schema)) view.unchecked.push(at);
    if (SCHEMAS.has(name)) visit(argument, at, view);
    else if ((LISTS.has(name) && Array.isArray(argument)) || (MAPS.has(name) && isObject(argument)))
      for (const [inner, one] of Object.entries(argument)) visit(one, at + part(inner), view);
  }
}

function isUnchecked(name: string, argument: unknown, schema: object): boolean {
  if (name === 'format') return !FORMATS.has(String(argument));
  if (name === 'additionalProperties') return 'patternProperties' in schema;
  return !KNOWN.some((known) => known.has(name));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A part of a JSON pointer (RFC 6901). */
const part = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
