import { FORMATS } from './formats';
import {
  type ArgumentKind,
  DESCRIPTIONS,
  isKeyword,
  isJsonObject,
  KEYWORDS,
  pointerPart,
  REFUSED,
  TYPES,
} from './keywords';
import { partsOfRef } from './references';

export const MAX_SCHEMA_BYTES = 16_384;
export const MAX_SUBSCHEMAS = 500;
export const MAX_LEVELS = 20;

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const MAX_FAULTS = 20;
const MAX_UNCHECKED = 50;

export interface SchemaFault {
  /** Into the schema: `/properties/email/$id`. */
  pointer: string;
  message: string;
}

export interface CheckedSchema {
  /** Why the schema is refused. Empty: `evaluate` takes it. */
  faults: readonly SchemaFault[];
  /** Where it says what is not checked: patterns, formats and keywords that are not known. */
  unchecked: readonly string[];
}

export function checkSchema(schema: unknown): CheckedSchema {
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > MAX_SCHEMA_BYTES)
    return refused('', `must have at most ${MAX_SCHEMA_BYTES} bytes as JSON, not ${bytes}`);
  const walk: Walk = { faults: [], unchecked: [], subschemas: new Set(), refs: [] };
  visit(schema, '', 1, walk);
  if (walk.subschemas.size > MAX_SUBSCHEMAS)
    return refused('', `must have at most ${MAX_SUBSCHEMAS} subschemas, not ${walk.subschemas.size}`);
  for (const { pointer, ref } of walk.refs) {
    const parts = partsOfRef(ref);
    if (parts && walk.subschemas.has(parts.map(pointerPart).join(''))) continue;
    const message = parts
      ? 'leads to no schema of this document'
      : 'must be "#", or begin with "#/": no other reference is followed';
    walk.faults.push({ pointer, message });
  }
  return { faults: walk.faults.slice(0, MAX_FAULTS), unchecked: walk.unchecked.slice(0, MAX_UNCHECKED) };
}

const refused = (pointer: string, message: string): CheckedSchema => ({
  faults: [{ pointer, message }],
  unchecked: [],
});

interface Walk {
  faults: SchemaFault[];
  unchecked: string[];
  /** Their pointers. */
  subschemas: Set<string>;
  refs: { pointer: string; ref: string }[];
}

function visit(schema: unknown, pointer: string, level: number, walk: Walk): void {
  walk.subschemas.add(pointer);
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema))
    return void walk.faults.push({ pointer, message: 'must be a schema: an object, true or false' });
  if (level > MAX_LEVELS)
    return void walk.faults.push({ pointer, message: `is deeper than ${MAX_LEVELS} levels of schemas` });
  for (const [name, argument] of Object.entries(schema)) {
    const at = pointer + pointerPart(name);
    const fault = faultOf(name, argument);
    if (fault !== undefined) walk.faults.push({ pointer: at, message: fault });
    else if (isUnchecked(name, argument, schema)) walk.unchecked.push(at);
    else if (name === '$ref') walk.refs.push({ pointer: at, ref: argument as string });
    for (const [part, inner] of fault === undefined ? subschemasOf(name, argument) : [])
      visit(inner, at + part, level + 1, walk);
  }
}

function faultOf(name: string, argument: unknown): string | undefined {
  if (REFUSED.has(name)) return 'is not supported';
  if (name === '$schema' && !DIALECT.test(String(argument)))
    return 'must be https://json-schema.org/draft/2020-12/schema: no other version is supported';
  return isKeyword(name) && !ARGUMENTS[KEYWORDS[name]].test(argument)
    ? `must be ${ARGUMENTS[KEYWORDS[name]].words}`
    : undefined;
}

function isUnchecked(name: string, argument: unknown, schema: Readonly<Record<string, unknown>>): boolean {
  if (name === 'format') return !Object.hasOwn(FORMATS, argument as string);
  if (name === 'additionalProperties') return Object.hasOwn(schema, 'patternProperties');
  return !isKeyword(name) && !DESCRIPTIONS.has(name);
}

/** The schemas in a keyword, each with its part of the pointer. */
function subschemasOf(name: string, argument: unknown): [part: string, schema: unknown][] {
  const kind: ArgumentKind = isKeyword(name) ? KEYWORDS[name] : 'any';
  if (kind === 'schema') return [['', argument]];
  if (kind !== 'schema-list' && kind !== 'schema-map') return [];
  return Object.entries(argument as object).map(([part, schema]) => [pointerPart(part), schema]);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isListOf = (value: unknown, test: (one: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.every(test);
const areNames = (value: unknown): boolean => isListOf(value, isText) && new Set(value).size === value.length;
const isType = (value: unknown): boolean => TYPES.some((type) => type === value);

const ARGUMENTS: Readonly<Record<ArgumentKind, { test(value: unknown): boolean; words: string }>> = {
  any: { test: () => true, words: 'anything' },
  number: { test: (value) => typeof value === 'number', words: 'a number' },
  positive: { test: (value) => typeof value === 'number' && value > 0, words: 'a number above 0' },
  count: {
    test: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    words: 'a whole number from 0 on',
  },
  flag: { test: (value) => typeof value === 'boolean', words: 'true or false' },
  text: { test: isText, words: 'a text' },
  types: {
    test: (value) => isType(value) || (isListOf(value, isType) && value.length > 0 && areNames(value)),
    words: `one of ${TYPES.join(', ')}, or a list of them`,
  },
  values: { test: Array.isArray, words: 'a list of values' },
  names: { test: areNames, words: 'a list of different names' },
  'name-lists': {
    test: (value) => isJsonObject(value) && Object.values(value).every(areNames),
    words: 'an object with lists of names',
  },
  schema: { test: () => true, words: 'a schema' },
  'schema-list': { test: (value) => Array.isArray(value) && value.length > 0, words: 'a list of schemas' },
  'schema-map': { test: isJsonObject, words: 'an object with schemas' },
};
