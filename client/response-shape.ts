/**
 * What a field is. A list of names is a list of objects that have these fields as texts. With null among the
 * names, some may be null instead.
 */
export type FieldKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'object'
  | 'texts'
  | 'numbers'
  | readonly (string | null)[];

/** What is wrong with the body of a response; undefined: nothing. */
export function faultOf(body: unknown, expected: Record<string, FieldKind | undefined>): string | undefined {
  if (!isFields(body)) return 'is not an object';
  for (const [field, kind = 'text'] of Object.entries(expected))
    if (!isOf(kind, body[field])) return `has no ${typeof kind === 'string' ? kind : 'list'} ${field}`;
  return isOf('text', body.nextCursor ?? '') ? undefined : 'has no text nextCursor';
}

function isOf(kind: FieldKind, value: unknown): boolean {
  if (kind === 'object') return isFields(value);
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'number' || kind === 'boolean') return typeof value === kind;
  if (!Array.isArray(value)) return false;
  if (kind === 'texts') return value.every((one) => isOf('text', one));
  if (kind === 'numbers') return value.every((one) => isOf('number', one));
  const fields = kind.filter((field) => field !== null);
  const isItem = (one: unknown) => isFields(one) && fields.every((field) => isOf('text', one[field]));
  return value.every((one) => isItem(one) || (one === null && kind.includes(null)));
}

type Fields = Record<string, unknown>;

/** Whether a value is an object with fields: no list, and not null. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
