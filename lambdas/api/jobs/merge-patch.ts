import { isDeepStrictEqual } from 'node:util';

/**
 * Applies a JSON merge patch (RFC 7386): null removes, objects merge, other values replace. Changes no
 * argument.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged); // defines, never assigns: a key `__proto__` stays a key
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Fields = Record<string, unknown>;

/**
 * The JSON merge patch (RFC 7386) that PATCH takes to turn one definition into another. Undefined if there is
 * none: a merge patch cannot set a field to null. `orderingKey` is the exception, because it is null by
 * default: PATCH reads its null as a removal.
 */
export const patchBetween = (from: Fields, to: Fields): Fields | undefined =>
  patchOf(withoutNullKey(from), withoutNullKey(to));

const withoutNullKey = ({ orderingKey, ...fields }: Fields): Fields =>
  orderingKey === null || orderingKey === undefined ? fields : { ...fields, orderingKey };

function patchOf(from: unknown, to: Fields): Fields | undefined {
  const known = new Map(isObject(from) ? Object.entries(from) : []);
  const removed = [...known.keys()].filter((name) => !Object.hasOwn(to, name));
  const patch = new Map<string, unknown>(removed.map((name) => [name, null]));
  for (const [name, value] of Object.entries(to)) {
    if (known.has(name) && isDeepStrictEqual(known.get(name), value)) continue;
    const step = isObject(value) ? patchOf(known.get(name), value) : (value ?? undefined);
    if (step === undefined) return undefined;
    patch.set(name, step);
  }
  return Object.fromEntries(patch); // defines, never assigns: a key `__proto__` stays a key
}
