import { isObject } from '../is-object';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const LISTS = words('prefixItems allOf anyOf oneOf');
const MAPS = words('properties dependentSchemas $defs definitions');
const SCHEMAS = words('items contains additionalProperties propertyNames not if then else');
const PLAIN = words(
  'type enum const multipleOf format uniqueItems required dependentRequired $ref $schema $comment title ' +
    'description default examples deprecated readOnly writeOnly contentEncoding contentMediaType',
);
const BOUND = /^(?:(?:exclusiveM|m)(?:in|ax)imum|m(?:in|ax)(?:Length|Items|Contains|Properties))$/;
const FORMATS = words('date-time date time duration email hostname ipv4 ipv6 uri uuid');

/**
 * Pointers to what the server does not check of a JSON Schema: patterns, some formats, and keywords that it
 * does not know. It says so itself when a job is saved; a manifest says it before.
 */
export function uncheckedIn(schema: unknown, pointer = ''): string[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([name, argument]) => {
    const at = pointer + part(name);
    const own = isUnchecked(name, argument, schema) ? [at] : [];
    if (SCHEMAS.has(name)) return [...own, ...uncheckedIn(argument, at)];
    const hasSchemas = LISTS.has(name) ? Array.isArray(argument) : MAPS.has(name) && isObject(argument);
    if (!hasSchemas) return own;
    const inner = Object.entries(argument as object);
    return [...own, ...inner.flatMap(([key, one]) => uncheckedIn(one, at + part(key)))];
  });
}

function isUnchecked(name: string, argument: unknown, schema: object): boolean {
  if (name === 'format') return !FORMATS.has(String(argument));
  if (name === 'additionalProperties') return 'patternProperties' in schema;
  return !BOUND.test(name) && ![LISTS, MAPS, SCHEMAS, PLAIN].some((known) => known.has(name));
}

/** A part of a JSON pointer (RFC 6901). */
const part = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
