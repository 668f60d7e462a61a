import { isObject } from '../../is-object';
import { type Json, Unmapped } from '../json';

/**
 * What is known of a value of an execution before it runs. `path`: an expression of a template makes it.
 * `object`: its fields; those that are not listed come from `rest`, and without that there are no others.
 */
export type Value =
  | { kind: 'path'; text: string; isObject?: true }
  | { kind: 'json'; json: string | number | boolean | null }
  | { kind: 'list'; items: readonly Value[] }
  | { kind: 'object'; fields: ReadonlyMap<string, Value>; rest?: Path | Unknown }
  | Unknown;
type Path = { kind: 'path'; text: string; isObject?: true };
/** `mayBeMissing`: it cannot even be asked whether there is one. */
type Unknown = { kind: 'unknown'; why: string; mayBeMissing?: true };
type Step = string | number;

export const pathTo = (text: string): Value => ({ kind: 'path', text });
export const unknown = (why: string): Unknown => ({ kind: 'unknown', why });
export const objectOf = (fields: Readonly<Record<string, Value>>, rest?: Unknown): Value => ({
  kind: 'object',
  fields: new Map(Object.entries(fields)),
  ...(rest && { rest }),
});
export const EMPTY: Value = objectOf({});

/** A value that the definition gives. */
export function literalOf(value: unknown): Value {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(literalOf) };
  if (!isObject(value)) return { kind: 'json', json: value as string | number | boolean | null };
  return {
    kind: 'object',
    fields: new Map(Object.entries(value).map(([key, inner]) => [key, literalOf(inner)])),
  };
}

/** What follows on states with these outputs: of each part, what all of them agree on. */
export function merged(values: readonly Value[]): Value {
  const [first, ...others] = values;
  if (!first) return unknown('no state leads here');
  return others.reduce(mergedPair, first);
}

const DEPENDS = 'depends on the way that led here: name the task whose output it is';

function mergedPair(a: Value, b: Value): Value {
  if (keyOf(a) === keyOf(b)) return a;
  const missing = [a, b].find((one) => one.kind === 'unknown' && one.mayBeMissing);
  if (missing) return missing;
  const [left, right] = [asObject(a), asObject(b)];
  if (!left || !right) return unknown(DEPENDS);
  // A field that one of them does not list may come from its rest: only what both list is known.
  const names = new Set([...left.fields.keys(), ...right.fields.keys()]);
  const isSameRest = keyOf(left.rest) === keyOf(right.rest);
  const fields = [...names].map((name): [string, Value] => {
    const [one, other] = [left.fields.get(name), right.fields.get(name)];
    return [name, one && other ? mergedPair(one, other) : { ...unknown(DEPENDS), mayBeMissing: true }];
  });
  const rest = isSameRest ? left.rest : unknown(DEPENDS);
  return { kind: 'object', fields: new Map(fields), ...(rest && { rest }) };
}

type Fields = Extract<Value, { kind: 'object' }>;

function asObject(value: Value): Fields | undefined {
  if (value.kind === 'object') return value;
  return value.kind === 'path' && value.isObject
    ? { kind: 'object', fields: new Map(), rest: value }
    : undefined;
}

/** Equal values have equal keys. */
const keyOf = (value: Value | undefined): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Map ? [...inner].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)) : inner,
  ) ?? '';

const PATH_STEP = /(?:\.([\p{L}_][\p{L}\p{N}_-]*)|\['([^'"\\]+)'\]|\["([^'"\\]+)"\]|\[(-?\d+)\])/uy;

/** The steps of a reference path. Throws `Unmapped` for any other JSONPath. */
export function stepsOf(path: string): Step[] {
  if (!path.startsWith('$')) throw new Unmapped(`${path} is no path`);
  const steps: Step[] = [];
  PATH_STEP.lastIndex = 1;
  let at = 1;
  while (at < path.length) {
    const found = PATH_STEP.exec(path);
    if (!found) throw new Unmapped(`the path ${path} is not translated: only names and indexes are`);
    at = PATH_STEP.lastIndex;
    const [, plain, single, double, index] = found;
    steps.push(index === undefined ? (plain ?? single ?? double)! : Number(index));
  }
  return steps;
}

/** The part of a value at these steps; undefined: it has none there, in any case. Throws `Unmapped`. */
export function partOf(value: Value, steps: readonly Step[]): Value | undefined {
  const [step, ...below] = steps;
  if (step === undefined) return value;
  switch (value.kind) {
    case 'unknown':
      throw new Unmapped(value.why);
    case 'json':
      return undefined;
    case 'list': {
      const item = typeof step === 'number' ? value.items.at(step) : undefined;
      return item && partOf(item, below);
    }
    case 'object': {
      const field = typeof step === 'string' ? value.fields.get(step) : undefined;
      if (field) return partOf(field, below);
      return value.rest && typeof step === 'string' ? partOf(value.rest, steps) : undefined;
    }
    case 'path':
      return pathTo(value.text + steps.map(textOfStep).join(''));
  }
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const textOfStep = (step: Step): string => {
  if (typeof step === 'number') return `[${step}]`;
  return NAME.test(step) ? `.${step}` : `['${step}']`;
};

/** A value with another one put into it, as ResultPath does. Throws `Unmapped`. */
export function withPart(value: Value, [step, ...below]: readonly Step[], part: Value): Value {
  if (step === undefined) return part;
  const object = value.kind === 'path' ? { kind: 'object' as const, fields: new Map(), rest: value } : value;
  if (typeof step !== 'string' || object.kind !== 'object')
    throw new Unmapped('its ResultPath leads into a value that is not an object');
  const inner = object.fields.get(step) ?? (object.rest ? undefined : EMPTY);
  if (below.length > 0 && inner === undefined)
    throw new Unmapped('its ResultPath leads into a field of which nothing is known');
  const field = below.length > 0 ? withPart(inner!, below, part) : part;
  return { ...object, fields: new Map([...object.fields, [step, field]]) };
}

const MAX_EXPRESSION = 512;

/** A text without templates. */
export const escapedText = (text: string): string => text.replaceAll('{{', '{{{{');

export function templateOf(text: string): string {
  if (text.length + 2 <= MAX_EXPRESSION) return `{{ ${text} }}`;
  throw new Unmapped(`the path ${text.slice(0, 60)}… has more than ${MAX_EXPRESSION} characters`);
}

/** JSON whose texts are templates, which render to the value. Throws `Unmapped`. */
export function renderedOf(value: Value): unknown {
  switch (value.kind) {
    case 'unknown':
      throw new Unmapped(value.why);
    case 'path':
      return templateOf(value.text);
    case 'json':
      return typeof value.json === 'string' ? escapedText(value.json) : value.json;
    case 'list':
      return value.items.map(renderedOf);
    case 'object': {
      if (value.rest?.kind === 'unknown') throw new Unmapped(value.rest.why);
      if (value.rest)
        throw new Unmapped('the whole input is made of several outputs: name those that it needs');
      return Object.fromEntries(
        [...value.fields].map(([key, inner]) => [key, renderedOf(inner)]),
      ) satisfies Json;
    }
  }
}
