/** What the value of a keyword is. Those of the last line hold subschemas. */
export type ArgumentKind =
  | ('any' | 'number' | 'positive' | 'count' | 'flag' | 'text' | 'types' | 'values' | 'names' | 'name-lists')
  | ('schema' | 'schema-list' | 'schema-map');

/**
 * The keywords of JSON Schema 2020-12 that decide whether a value fits. `pattern` and `patternProperties` are
 * missing: a user's regular expression is never run, as it may take seconds.
 */
export const KEYWORDS = {
  type: 'types',
  enum: 'values',
  const: 'any',
  multipleOf: 'positive',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  minLength: 'count',
  maxLength: 'count',
  format: 'text',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'flag',
  minProperties: 'count',
  maxProperties: 'count',
  required: 'names',
  dependentRequired: 'name-lists',
  prefixItems: 'schema-list',
  items: 'schema',
  contains: 'schema',
  minContains: 'count',
  maxContains: 'count',
  properties: 'schema-map',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  dependentSchemas: 'schema-map',
  allOf: 'schema-list',
  anyOf: 'schema-list',
  oneOf: 'schema-list',
  not: 'schema',
  if: 'schema',
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: 'schema',
  else: 'schema',
  $ref: 'text',
  $defs: 'schema-map',
  definitions: 'schema-map',
} as const satisfies Record<string, ArgumentKind>;
export type Keyword = keyof typeof KEYWORDS;

/** Keywords that would change what a value has to be, and that cannot be left out without a word. */
export const REFUSED: ReadonlySet<string> = new Set([
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]);

/** Keywords that describe, and never refuse a value. */
export const DESCRIPTIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
]);

export const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof TYPES)[number];

export type Schema = boolean | { readonly [keyword: string]: unknown };

export const isKeyword = (name: string): name is Keyword => Object.hasOwn(KEYWORDS, name);

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A part of a JSON pointer (RFC 6901). */
export const pointerPart = (name: string | number): string =>
  `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
