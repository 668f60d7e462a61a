import * as z from 'zod/mini';

/** What an issue of zod says of a value. Those of a union's branches are finished: they have messages. */
export interface Issue {
  readonly code?: string;
  readonly input?: unknown;
  /** `invalid_type` */
  readonly expected?: string;
  /** `invalid_value` */
  readonly values?: readonly unknown[];
  /** `too_small` and `too_big` */
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean;
  readonly exact?: boolean;
  /** `invalid_format` */
  readonly format?: string;
  readonly pattern?: string;
  readonly divisor?: number;
  /** `unrecognized_keys` */
  readonly keys?: readonly string[];
  /** `invalid_key` */
  readonly issues?: readonly { message: string }[];
  /** `invalid_union` by a field: its name, and the words that it may have. */
  readonly discriminator?: string;
  readonly options?: readonly unknown[];
  /** `invalid_union`: the issues of each branch. */
  readonly errors?: readonly (readonly (Issue & { readonly path: readonly unknown[] })[])[];
}

/** Types in the words of those who wrote the value: they know JSON, and none of the types of a schema. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'an absolute URL',
  datetime: 'a date with a time, such as 2026-12-01T09:00:00Z',
};

const COUNTED: Readonly<Record<string, string>> = { string: 'characters', array: 'items', set: 'items' };

/** Said of a value that is missing. */
export const IS_REQUIRED = 'is required';

/** In place of zod's own words: a schema that gives a reason of its own keeps it. */
function wordsFor(raw: z.core.$ZodRawIssue): string {
  const issue: Issue = raw;
  const isMissing = 'input' in issue && givenTo(issue) === undefined;
  if (issue.code === 'invalid_value' || issue.options)
    return isMissing ? `${IS_REQUIRED}: ${wordsForType(issue)}` : wordsForType(issue);
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union')
    return isMissing ? IS_REQUIRED : `${wordsForType(issue)}${givenIn(issue)}`;
  return wordsForContent(issue);
}

/** A union by a field has the whole object as its input. */
const givenTo = ({ input, discriminator }: Issue): unknown =>
  discriminator === undefined ? input : (input as Record<string, unknown>)[discriminator];

function wordsForContent(issue: Issue): string {
  switch (issue.code ?? '') {
    case 'too_small':
      return bound(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return bound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_format': {
      const { format = '', pattern } = issue;
      return format === 'regex' ? `must match ${pattern}` : `must be ${FORMATS[format] ?? format}`;
    }
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys?.join(', ')}`;
    case 'invalid_key':
      return ['is not allowed as a name', ...(issue.issues ?? []).map(({ message }) => message)].join(': ');
    default:
      return 'is not valid';
  }
}

/** Which values an issue of a type, of a word or of a union allows. */
export function wordsForType(issue: Issue): string {
  const allowed = [...new Set(allowedBy(issue))];
  return allowed.length === 0 ? 'is not valid' : `must be ${allowed.join(' or ')}`;
}

/** A union takes whatever one of its branches takes. A branch that the value is inside of names no type. */
function allowedBy({ code, expected = '', values = [], options = [], errors = [] }: Issue): string[] {
  if (code === 'invalid_type') return [TYPES[expected] ?? expected];
  const words = [...values, ...options].map(String);
  if (words.length > 0) return [words.length === 1 ? words[0]! : `one of ${words.join(', ')}`];
  return errors
    .flat()
    .filter(({ path }) => path.length === 0)
    .flatMap((one) => allowedBy(one));
}

/** Names the type of the value. A fraction in place of a whole number is seen without a word. */
function givenIn({ input, expected }: Issue): string {
  if (Array.isArray(input)) return ', not a list';
  if (input === null) return ', not null';
  const type = TYPES[typeof input];
  return type === undefined || typeof input === 'boolean' || expected === 'int' ? '' : `, not ${type}`;
}

function bound({ origin = '', exact }: Issue, value: number | bigint | undefined, relation: string): string {
  const counted = COUNTED[origin];
  if (counted === undefined) return `must be ${relation} ${value}`;
  const count = `${exact ? 'exactly' : relation} ${value}`;
  return `must have ${count} ${value === 1 ? counted.slice(0, -1) : counted}`;
}

// `zod/mini` has no error messages of its own, and those of `zod` name the types of schemas. Modules whose
// errors reach a user import this file. A `customError` counts rather than the locale that `zod` sets when it
// is loaded later.
z.config({ customError: wordsFor });
