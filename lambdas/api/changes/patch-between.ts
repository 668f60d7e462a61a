import { isDeepStrictEqual } from 'node:util';

import { isObject } from '../jobs/merge-patch';

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
