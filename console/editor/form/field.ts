import { differences, withValue } from '../diff';

/** What the text of a field means. `text` and `secret` are texts, `words` are numbers and texts in a row. */
export type TextKind =
  | 'text'
  | 'secret'
  | 'number'
  | 'flag'
  | 'choice'
  | 'lines'
  | 'words'
  | 'pairs'
  | 'exclusions'
  | 'calendars'
  | 'json'
  | 'object';

interface AnyField {
  /** Dotted, from the value of its form on; empty: all of it. */
  path: string;
  label: string;
  hint?: string;
  /** Whether the field belongs to the value of its form; always, without it. */
  isShown?(form: Fields): boolean;
}

/** A field that is typed or chosen. */
export interface TextField extends AnyField {
  kind: TextKind;
  /** What the API takes if the field is empty. */
  usual?: string;
  /** The values of a choice, with their words. */
  values?: readonly (readonly [value: string, words: string])[];
  /** An empty text is a value: the API says that it is missing. */
  isRequired?: true;
  /** It has a line of its own. */
  isWide?: true;
  rows?: number;
  /** Names of the project to choose from. */
  names?: 'zones' | 'queues' | 'concurrency-keys';
}

/** A value of one of several kinds, which its `type` names. */
export interface KindField extends AnyField {
  kind: 'one-of';
  kinds: Kinds;
  /** The words for no value, if it may be left out. */
  none?: string;
}

/** A list of such values. */
export interface EachField extends AnyField {
  kind: 'each';
  kinds: Kinds;
  /** The words of one of them. */
  one: string;
}

export type FormField = TextField | KindField | EachField;
export type Fields = Readonly<Record<string, unknown>>;

export interface KindRow {
  words: string;
  /** What a new value of this kind begins with. */
  start: unknown;
  fields: readonly FormField[];
}
export type Kinds = Readonly<Record<string, KindRow>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSame = (a: unknown, b: unknown): boolean => differences(a, b).length === 0;
const keysOf = (path: string): readonly string[] => (path === '' ? [] : path.split('.'));

export const atPath = (form: unknown, path: string): unknown =>
  keysOf(path).reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), form);

/** The form with another value at a path. Without one, an object that it leaves empty goes too. */
export function putAt(form: unknown, path: string, value: unknown): unknown {
  if (isSame(atPath(form, path), value)) return form;
  const changed = withValue(form, keysOf(path), value);
  const parent = path.slice(0, Math.max(path.lastIndexOf('.'), 0));
  const isEmpty = value === undefined && parent !== '' && isSame(atPath(changed, parent), {});
  return isEmpty ? putAt(changed, parent, undefined) : changed;
}

/** The kind of a value: empty without a value, undefined if the form has no fields for it. */
export function kindOf(kinds: Kinds, value: unknown): string | undefined {
  if (value === undefined) return '';
  const kind = typeof value === 'string' ? 'text' : isRecord(value) ? value.type : undefined;
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kind : undefined;
}

/** The fields that a form shows. */
export const shownOf = (fields: readonly FormField[], form: unknown): FormField[] =>
  fields.filter(({ isShown }) => !isShown || isShown(isRecord(form) ? form : {}));

/** The names in a value that no field has: they stay as they are. */
export function withoutField(fields: readonly FormField[], form: unknown): string[] {
  const known = new Set(['type', ...fields.map(({ path }) => keysOf(path)[0] ?? '')]);
  return isRecord(form) ? Object.keys(form).filter((name) => !known.has(name)) : [];
}
