import type { Zone } from '../../schedule/zone';
import type { Json } from '../syntax';
import { shown, TemplateError } from '../template-error';

/** What a filter may use besides its value and arguments. */
export interface FilterContext {
  /** The zone of calendar filters without a zone of their own. */
  zone: Zone;
}

/** One argument of a filter. */
export interface Parameter<T> {
  /** The value for filters. Throws `TemplateError` if it is not what the filter needs. */
  read(value: Json): T;
  /** Present if the argument may be left out: what stands in its place. */
  absent?(context: FilterContext): T;
}

export interface Filter {
  readonly parameters: readonly Parameter<unknown>[];
  /** Present if the filter also applies to a missing value. */
  readonly takesMissing?: true;
  /**
   * The new value; undefined if there is none. Cost and result are linear in `value` and `args`, or it throws
   * `TemplateError`.
   *
   * @param args one for each parameter, as its `read` returned it
   */
  apply(value: Json | undefined, args: readonly unknown[], context: FilterContext): Json | undefined;
}

/** A filter whose function gets its value, and its arguments one by one. */
export const filterOf = <Args extends readonly unknown[]>(
  parameters: { readonly [Index in keyof Args]: Parameter<Args[Index]> },
  apply: (value: Json, ...args: Args) => Json | undefined,
): Filter => ({
  parameters: parameters as readonly Parameter<unknown>[],
  // The evaluator calls only filters with `takesMissing` for a missing value, and reads each argument.
  apply: (value, args) => apply(value as Json, ...(args as Args)),
});

/** Throws `TemplateError`: the value is of the wrong kind. */
export function wrongKind(expected: string, value: Json | undefined): never {
  throw new TemplateError(`needs ${expected}, not ${shown(value)}`);
}

export const textIn = (value: Json): string =>
  typeof value === 'string' ? value : wrongKind('a text', value);

export const listIn = (value: Json): readonly Json[] => (isList(value) ? value : wrongKind('a list', value));

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

export const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const wholeNumberIn = (value: Json): number =>
  Number.isSafeInteger(value) ? (value as number) : wrongKind('a whole number', value);

export const ANY: Parameter<Json> = { read: (value) => value };
export const TEXT: Parameter<string> = { read: textIn };
export const INDEX: Parameter<number> = { read: wholeNumberIn };
