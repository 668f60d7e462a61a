import { ArgumentError } from './errors';
import { isFields } from './response-shape';

/** What an argument may be. */
interface Kind {
  /** As an error says it: `an id`. */
  expected: string;
  fits(this: void, value: unknown): boolean;
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isSignal = (value: unknown): boolean => isFields(value) && typeof value.aborted === 'boolean';

/** A part of a path. A URL with an empty part, or with dots alone, is the URL of something else. */
const ID: Kind = {
  expected: 'an id',
  fits: (value) => typeof value === 'string' && !/^\.{0,2}$/.test(value),
};
const TEXT: Kind = { expected: 'a string', fits: (value) => typeof value === 'string' };
const NUMBER: Kind = { expected: 'a number', fits: (value) => typeof value === 'number' };
const OBJECT: Kind = { expected: 'an object', fits: isFields };
const BOOLEAN: Kind = { expected: 'a boolean', fits: (value) => typeof value === 'boolean' };
const FUNCTION: Kind = { expected: 'a function', fits: (value) => typeof value === 'function' };
const LIST: Kind = { expected: 'a list', fits: Array.isArray };
const OBJECTS: Kind = {
  expected: 'a list of objects',
  fits: (value) => Array.isArray(value) && value.every(isFields),
};
const SCHEDULE: Kind = {
  expected: 'a string or an object',
  fits: (value) => typeof value === 'string' || isFields(value),
};

/** A query has no place for objects in objects. */
const FILTER: Kind = {
  expected: 'an object of values and lists',
  fits: (value) =>
    isFields(value) &&
    Object.values(value).every((one) => (Array.isArray(one) ? !one.some(isNested) : !isNested(one))),
};

/** The arguments of all methods: one name is one thing. */
const KINDS = {
  jobId: ID,
  execId: ID,
  taskId: ID,
  calendarId: ID,
  keyId: ID,
  id: ID,
  key: ID,
  name: ID,
  queue: ID,
  version: ID,
  method: TEXT,
  path: TEXT,
  sub: TEXT,
  at: TEXT,
  error: TEXT,
  orderingKey: TEXT,
  fingerprint: TEXT,
  number: NUMBER,
  index: NUMBER,
  count: NUMBER,
  days: NUMBER,
  max: NUMBER,
  fence: NUMBER,
  job: OBJECT,
  changes: OBJECT,
  definition: OBJECT,
  calendar: OBJECT,
  secret: OBJECT,
  event: OBJECT,
  request: OBJECT,
  backfill: OBJECT,
  ack: OBJECT,
  query: FILTER,
  filter: FILTER,
  body: OBJECT,
  options: OBJECT,
  jobs: LIST,
  runs: LIST,
  executions: OBJECTS,
  schedule: SCHEDULE,
  work: FUNCTION,
  result: { expected: 'anything', fits: () => true },
} satisfies Record<string, Kind>;

/** The fields of options that the client uses itself, or puts into a query. The API checks all others. */
const OPTIONS: Record<string, Kind> = {
  signal: { expected: 'an AbortSignal', fits: (value) => value === null || isSignal(value) },
  note: TEXT,
  idempotencyKey: TEXT,
  ifMatch: TEXT,
  timeoutMs: NUMBER,
  intervalMs: NUMBER,
  everyMs: NUMBER,
  onProgress: FUNCTION,
  host: TEXT,
  createdAt: TEXT,
  force: BOOLEAN,
  replace: BOOLEAN,
  dryRun: BOOLEAN,
  retriable: BOOLEAN,
};

/** The name of an argument; with `?`, one that may be left out. */
type Name = keyof typeof KINDS | `${keyof typeof KINDS}?`;

type Method = (...given: never[]) => unknown;
type Names<Given extends unknown[]> = { readonly [Index in keyof Required<Given>]: Name };
/** One name for each argument of each method, so that a method without them does not compile. */
type ArgumentsOf<T, Result> = {
  readonly [
    M in keyof T as M extends string
      ? T[M] extends Method
        ? ReturnType<T[M]> extends Promise<unknown>
          ? Result extends 'promise'
            ? M
            : never
          : Result extends 'promise'
            ? never
            : M
        : never
      : never
  ]: T[M] extends Method ? Names<Parameters<T[M]>> : never;
};

/**
 * Makes the methods of a class check their arguments: a program in JavaScript gets an `ArgumentError`, in
 * place of what the runtime throws. `promises`: methods that return a promise, which rejects.
 */
export function checkArguments<T extends object>(
  { prototype }: { prototype: T },
  promises: ArgumentsOf<T, 'promise'>,
  others: ArgumentsOf<T, 'other'>,
): void {
  const methods = prototype as Record<string, (...given: unknown[]) => unknown>;
  const replace = (name: string, value: (...given: unknown[]) => unknown) =>
    Object.defineProperty(methods, name, { value, configurable: true, writable: true });
  for (const [name, names] of Object.entries<readonly Name[]>(promises)) {
    const method = methods[name]!;
    replace(name, async function (this: unknown, ...given) {
      checkAll(names, given);
      return method.apply(this, given);
    });
  }
  for (const [name, names] of Object.entries<readonly Name[]>(others)) {
    const method = methods[name]!;
    replace(name, function (this: unknown, ...given) {
      checkAll(names, given);
      return method.apply(this, given);
    });
  }
}

function checkAll(names: readonly Name[], given: readonly unknown[]): void {
  for (const [index, name] of names.entries()) {
    const value = given[index];
    const argument = name.replace('?', '');
    if (value === undefined && argument !== name) continue;
    check(argument, value, KINDS[argument as keyof typeof KINDS]);
    if (argument === 'options' && isFields(value))
      for (const [field, kind] of Object.entries(OPTIONS))
        if (value[field] !== undefined) check(`${argument}.${field}`, value[field], kind);
  }
}

function check(argument: string, value: unknown, { expected, fits }: Kind): void {
  if (!fits(value)) throw new ArgumentError(argument, value, expected);
}
