import { isObject } from '../is-object';

/** Replaces values of variables in a text by `${NAME}`. */
export type Hide = (text: string) => string;

/** Shorter values are in too many texts, and are no secrets. */
const MIN_LENGTH = 4;

export const hideNothing: Hide = (text) => text;

/**
 * Hides values wherever they occur, also behind a diff: what is stored may still have the same value. The
 * longest goes first, since a value may be a part of another.
 */
export function hiding(values: ReadonlyMap<string, string>): Hide {
  const hidden = [...values]
    .filter(([, value]) => value.length >= MIN_LENGTH)
    .sort(([, a], [, b]) => b.length - a.length);
  return (text) => hidden.reduce((left, [name, value]) => left.replaceAll(value, () => `\${${name}}`), text);
}

/** Hides them in all texts of a value, keys apart. */
export function hiddenIn<Value>(value: Value, hide: Hide): Value {
  if (typeof value === 'string') return hide(value) as Value;
  if (Array.isArray(value)) return value.map((one: unknown) => hiddenIn(one, hide)) as Value;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hiddenIn(one, hide)])) as Value;
}
