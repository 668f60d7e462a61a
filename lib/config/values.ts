import * as z from 'zod';

// Value types of a stage configuration. Each also accepts a string, because `--context name=value` gives only
// strings.

/** A number, or a string that holds one. */
export const numeric = (number: z.ZodNumber) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value), number);

/** A whole number from `min` to `max`, or a string that holds one. */
export function int(min: number, max: number) {
  const allowed = `expected a whole number from ${min} to ${max}`;
  return numeric(z.number(allowed).int(allowed).min(min, allowed).max(max, allowed));
}

/** A list with at least one item, or a single item as a string. */
export const oneOrMore = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(item).min(1, 'expected at least one'),
  );

/** A boolean, or `true` or `false` as a string. */
export const flag = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')],
  'expected true or false',
);

/** An object, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
