/** Values that templates work on. Objects are read by their own properties alone. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A parsed text: literal texts, expressions and references to secrets, in their order. */
export type Template = readonly Part[];
export type Part = string | Expression | SecretReference;

/** `run.dueAt | date('yyyy')` */
export interface Expression {
  readonly kind: 'expression';
  /** As written, without the braces and the whitespace around it. */
  readonly text: string;
  readonly path: Path;
  readonly filters: readonly FilterCall[];
}

/** `secrets.crm` */
export interface SecretReference {
  readonly kind: 'secret';
  readonly text: string;
  readonly name: string;
}

/** `run.dueAt`, `item.lines[-1]['unit price']` */
export interface Path {
  readonly kind: 'path';
  readonly root: string;
  readonly steps: readonly Step[];
}

/** A property, or the index of an item; a negative one counts from the end. */
export type Step = string | number;

export interface FilterCall {
  readonly name: string;
  readonly args: readonly Argument[];
}

export type Argument = Path | { readonly kind: 'literal'; readonly value: null | boolean | number | string };

export const MAX_EXPRESSION_LENGTH = 512;
export const MAX_FILTERS = 8;
/** Steps of all paths of one expression. */
export const MAX_STEPS = 32;
/** Bound on each value that a filter makes, and on all that one rendering makes: bytes as JSON or text. */
export const MAX_RESULT_BYTES = 65_536;
/** The root whose values are secrets. */
export const SECRETS = 'secrets';
