import type { Tokens } from './tokens';

export type Item = Record<string, unknown>;

/** `ExpressionAttributeNames` and `…Values` of one request. */
export interface Bindings {
  names: Readonly<Record<string, string>>;
  values: Readonly<Record<string, unknown>>;
}

/** A document path: attribute names (or `#placeholders`) and list indexes. */
export type Path = readonly (string | number)[];

const WORD = /^(#\w+|[A-Za-z_]\w*)$/;

export function parsePath(tokens: Tokens): Path {
  const path: (string | number)[] = [parseName(tokens)];
  for (;;) {
    if (tokens.take('.')) {
      path.push(parseName(tokens));
    } else if (tokens.take('[')) {
      path.push(Number(tokens.next()));
      tokens.expect(']');
    } else {
      return path;
    }
  }
}

function parseName(tokens: Tokens): string {
  const token = tokens.next();
  if (!WORD.test(token)) throw tokens.unsupported(token);
  return token;
}

/** The attribute's name behind one step of a path. */
export const nameOf = (step: string | number, { names }: Bindings): string | number =>
  typeof step === 'string' && step.startsWith('#') ? names[step]! : step;

/** The value at a path; undefined where there is none. */
export function valueAt(item: Item, path: Path, bindings: Bindings): unknown {
  let value: unknown = item;
  for (const step of path) {
    if (value === null || typeof value !== 'object') return undefined;
    const name = nameOf(step, bindings);
    if (Array.isArray(value) !== (typeof name === 'number')) return undefined;
    value = Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined;
  }
  return value;
}

/** The map or list with the last step of a path; undefined if it does not exist. */
export function parentAt(
  item: Item,
  path: Path,
  bindings: Bindings,
): Record<string | number, unknown> | undefined {
  const parent = path.length === 1 ? item : valueAt(item, path.slice(0, -1), bindings);
  return parent !== null && typeof parent === 'object'
    ? (parent as Record<string | number, unknown>)
    : undefined;
}
