import type * as z from 'zod/mini';

import { didYouMean } from './suggestion';
import { IS_REQUIRED, type Issue as RawIssue, wordsForType } from './zod-locale';

/** What is wrong with a field of a value that does not fit its schema. */
export interface FieldFault {
  /** Its parts with dots between them. */
  path: string;
  parts: readonly PropertyKey[];
  /** What is allowed, and what was probably meant. */
  message: string;
  /** The field itself is not known. */
  isUnknown?: boolean;
}

const MAX_FAULTS = 50;

interface RejectedValue {
  readonly value: unknown;
  readonly schema: z.ZodMiniType;
  /** Fields of responses alone: a client that sends them back learns that they are read only. */
  readonly readOnly?: ReadonlySet<string>;
}

/** What a schema rejects of a value, at most 50 faults, in words for those who wrote it. */
export function faultsOf(
  { issues }: { issues: readonly object[] },
  { value, schema, readOnly = new Set() }: RejectedValue,
): FieldFault[] {
  const faults = issues.flatMap((issue) => errorsOf(issue as Issue, readOnly)).slice(0, MAX_FAULTS);
  return faults.map((fault) => ({
    ...fault,
    message: fault.message + (fault.isUnknown ? suggestedField : suggestedWord)(schema, value, fault.parts),
  }));
}

interface Issue extends Omit<RawIssue, 'errors'> {
  path: PropertyKey[];
  message: string;
  errors?: Issue[][];
}

function errorsOf(issue: Issue, readOnly: ReadonlySet<string>, above: Path = []): FieldFault[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => ({
      path: pathOf([...path, key]),
      message: path.length === 0 && readOnly.has(key) ? 'is read only' : 'is not a known field',
      parts: [...path, key],
      isUnknown: true,
    }));
  }
  const branch = issue.code === 'invalid_union' && meantBranch(issue);
  if (branch) return branch.flatMap((inner) => errorsOf(inner, readOnly, path));
  return [{ path: pathOf(path), message: issue.message, parts: path }];
}

/**
 * The branch of a union that was meant; undefined if the union itself says more. A reason that it gives of
 * its own counts, unless a branch knows a field that is wrong.
 */
function meantBranch(issue: Issue): Issue[] | undefined {
  const { errors = [], message } = issue;
  const hasOwnReason = message !== IS_REQUIRED && !message.startsWith(wordsForType(issue));
  const isMeant = (issues: Issue[]) => (hasOwnReason ? issues.some(isInside) : !issues.every(isOfOtherType));
  const meant = errors.filter(isMeant);
  // If there are two objects, the one that has each of the fields was probably meant.
  return meant.find((issues) => !issues.some(isUnknownField)) ?? meant[0];
}

/** Marks a branch of a union that was not meant: the value is not even of its type. */
const isOfOtherType = ({ code, path }: Issue): boolean => code === 'invalid_type' && path.length === 0;
const isUnknownField = ({ code, path }: Issue): boolean => code === 'unrecognized_keys' && path.length === 0;
const isInside = (issue: Issue): boolean => issue.path.length > 0 || isUnknownField(issue);

const pathOf = (path: Path): string => path.map((part) => String(part).slice(0, 80)).join('.') || 'body';

/** The parts of zod's schemas that this file reads. */
interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  innerType?: Schema;
  in?: Schema;
  out?: Schema;
  options?: readonly Schema[];
  discriminator?: string;
  keyType?: Schema;
  valueType?: Schema;
  catchall?: Schema;
  element?: Schema;
  values?: readonly unknown[];
  entries?: Record<string, unknown>;
}
interface Schema {
  _zod: { def: Definition };
}
type Path = readonly PropertyKey[];

/** `; did you mean "schedule"?` for a field that the schema does not have; empty if none is similar. */
function suggestedField(schema: z.ZodMiniType, value: unknown, path: Path): string {
  const objects = schemasAt(schema as unknown as Schema, value, path.slice(0, -1));
  const names = objects.flatMap(({ _zod: { def } }) => [
    ...Object.keys(def.shape ?? {}),
    ...(def.keyType ? wordsOf(def.keyType) : []),
  ]);
  return didYouMean(String(path.at(-1)), names);
}

/** `; did you mean "skip"?` for a text that is none of the allowed words; empty if none is similar. */
function suggestedWord(schema: z.ZodMiniType, value: unknown, path: Path): string {
  const given = path.reduce(valueAt, value);
  if (typeof given !== 'string') return '';
  const types = unionsAt(schema as unknown as Schema, value, path.slice(0, -1))
    .filter(({ discriminator }) => discriminator === path.at(-1))
    .flatMap(({ options = [] }) => options.flatMap((option) => branches(option, undefined)))
    .flatMap(({ _zod: { def } }) => branches(def.shape?.[String(path.at(-1))], undefined));
  const found = [...types, ...schemasAt(schema as unknown as Schema, value, path)];
  const words = found.flatMap(wordsOf);
  return words.includes(given) ? '' : didYouMean(given, words);
}

const wordsOf = ({ _zod: { def } }: Schema): string[] =>
  [...(def.values ?? []), ...Object.values(def.entries ?? {})].filter((word) => typeof word === 'string');

/** The schemas of the value at a path: several where a union allows several. */
const schemasAt = (schema: Schema, value: unknown, path: Path): Schema[] =>
  path.reduce<{ schemas: Schema[]; value: unknown }>(
    ({ schemas, value: at }, part) => ({
      schemas: schemas.flatMap((one) => branches(fieldOf(one, part), valueAt(at, part))),
      value: valueAt(at, part),
    }),
    { schemas: branches(schema, value), value },
  ).schemas;

/** The unions by a type that are passed on the way to the value at a path. */
function unionsAt(schema: Schema, value: unknown, path: Path): Definition[] {
  const [last] = path.slice(-1);
  if (last === undefined) return unionsIn(schema);
  return schemasAt(schema, value, path.slice(0, -1)).flatMap((one) => unionsIn(fieldOf(one, last)));
}

function unionsIn(schema: Schema | undefined): Definition[] {
  const def = schema?._zod.def;
  if (!def) return [];
  const below = [def.innerType, def.in, def.out, ...(def.options ?? [])].flatMap(unionsIn);
  return def.discriminator === undefined ? below : [def];
}

const valueAt = (value: unknown, part: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined;

const fieldOf = ({ _zod: { def } }: Schema, part: PropertyKey): Schema | undefined =>
  def.shape && Object.hasOwn(def.shape, part)
    ? def.shape[String(part)]
    : (def.valueType ?? def.catchall ?? def.element);

/** The schema without its wrappers; of a union by a type, the branch of the value's type. */
function branches(schema: Schema | undefined, value: unknown): Schema[] {
  const def = schema?._zod.def;
  if (!def) return [];
  const inner = [def.innerType, def.in, def.out].filter((one) => one !== undefined);
  if (inner.length > 0) return inner.flatMap((one) => branches(one, value));
  if (!def.options) return [schema];
  const { discriminator } = def;
  const all = def.options.flatMap((option) => branches(option, value));
  if (discriminator === undefined) return all;
  const type = valueAt(value, discriminator);
  return all.filter(({ _zod }) =>
    branches(_zod.def.shape?.[discriminator], undefined).some((one) =>
      wordsOf(one).some((word) => word === type),
    ),
  );
}
