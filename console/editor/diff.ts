/** Differences of JSON values, by dotted path. Lists are compared as wholes. */

type Json = unknown;

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (a: Json, b: Json): boolean =>
  a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

export interface Difference {
  /** Keys from the outermost; empty: the values as wholes. */
  path: readonly string[];
  before: Json;
  after: Json;
}

/** Where `after` differs from `before`. A missing value is undefined. */
export function differences(before: Json, after: Json, path: readonly string[] = []): Difference[] {
  if (same(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(before[key], after[key], [...path, key]));
}

/** `value` with another value at a path; undefined removes it. */
export function withValue(value: Json, path: readonly string[], replacement: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const { [key]: inner, ...others } = isObject(value) ? value : {};
  const changed = withValue(inner, rest, replacement);
  if (changed === undefined) return others;
  return isObject(value) && key in value
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, name === key ? changed : item]))
    : { ...others, [key]: changed };
}

/** `theirs` with what `mine` changed since `base`. */
export const merged = (base: Json, mine: Json, theirs: Json): Json =>
  differences(base, mine).reduce((value, { path, after }) => withValue(value, path, after), theirs);

/** Changes that the other side made to the same values, to something else. */
export function conflicts(base: Json, mine: Json, theirs: Json): Difference[] {
  const changedByMe = differences(base, mine).map(({ path }) => path.join('\0'));
  return differences(mine, theirs).filter(({ path }) => {
    const name = path.join('\0');
    return (
      changedByMe.some((own) => own === name || own.startsWith(`${name}\0`) || name.startsWith(`${own}\0`)) &&
      differences(base, theirs).some(({ path: theirPath }) => {
        const their = theirPath.join('\0');
        return their === name || their.startsWith(`${name}\0`) || name.startsWith(`${their}\0`);
      })
    );
  });
}
