import { areUnique, isEqual, isMultiple, lengthOf, type Spend, stepsOf } from './compare';
import { FORMATS, MAX_FORMAT_LENGTH } from './formats';
import { isJsonObject, type JsonType, type Keyword } from './keywords';

/** A keyword that is about the value itself, and about nothing inside of it. */
export interface Assertion {
  /** The keyword says nothing of values of other types. */
  about?: 'number' | 'string' | 'array' | 'object';
  /** Undefined: nothing is said of this value. */
  holds(argument: never, value: never, spend: Spend): boolean | undefined;
  /** What the value has to be. */
  says(argument: never, value: unknown): string;
}

const WORDS: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  array: 'a list',
  object: 'an object',
};

export function typeOf(value: unknown): Exclude<JsonType, 'integer'> {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as 'boolean' | 'number' | 'string' | 'object');
}

const isOfType = (type: JsonType, value: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

/** A type, or several. */
const typesIn = (argument: JsonType | readonly JsonType[]): readonly JsonType[] =>
  typeof argument === 'string' ? [argument] : argument;

const MAX_SHOWN = 80;
const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

const MAX_VALUES = 10;
const oneOf = (values: readonly unknown[]): string => {
  const words = values.slice(0, MAX_VALUES).map(shown);
  return words.length === 1
    ? words[0]!
    : `one of ${words.join(', ')}${values.length > MAX_VALUES ? ', …' : ''}`;
};

const counted = (relation: string, thing: string) => (count: number) =>
  `must have ${relation} ${count} ${thing}${count === 1 ? '' : 's'}`;
const [atLeast, atMost] = [
  (thing: string) => counted('at least', thing),
  (thing: string) => counted('at most', thing),
];

const fieldsOf = (value: object, spend: Spend): number => {
  const { length } = Object.keys(value);
  spend(length);
  return length;
};

/** No text has more characters than units, or fewer than half of them: most need not be counted. */
const isAsLong = (text: string, least: number, spend: Spend): boolean =>
  text.length >= 2 * least || (text.length >= least && lengthOf(text, spend) >= least);

export const ASSERTIONS = {
  type: {
    holds: (argument: JsonType | JsonType[], value: unknown) =>
      typesIn(argument).some((type) => isOfType(type, value)),
    says: (argument: JsonType | JsonType[], value) => {
      const allowed = typesIn(argument).map((type) => WORDS[type]);
      const given =
        typeof value === 'number' && allowed.includes(WORDS.integer) ? shown(value) : WORDS[typeOf(value)];
      return `must be ${allowed.join(' or ')}, not ${given}`;
    },
  },
  enum: {
    holds: (values: unknown[], value: unknown, spend) => values.some((one) => isEqual(one, value, spend)),
    says: (values: unknown[]) => (values.length === 0 ? 'is not allowed here' : `must be ${oneOf(values)}`),
  },
  const: {
    holds: (argument: unknown, value: unknown, spend) => isEqual(argument, value, spend),
    says: (argument: unknown) => `must be ${shown(argument)}`,
  },
  multipleOf: {
    about: 'number',
    holds: (of: number, value: number, spend) => isMultiple(value, of, spend),
    says: (of: number) => `must be a multiple of ${of}`,
  },
  minimum: {
    about: 'number',
    holds: (bound: number, value: number) => value >= bound,
    says: (bound: number) => `must be at least ${bound}`,
  },
  maximum: {
    about: 'number',
    holds: (bound: number, value: number) => value <= bound,
    says: (bound: number) => `must be at most ${bound}`,
  },
  exclusiveMinimum: {
    about: 'number',
    holds: (bound: number, value: number) => value > bound,
    says: (bound: number) => `must be more than ${bound}`,
  },
  exclusiveMaximum: {
    about: 'number',
    holds: (bound: number, value: number) => value < bound,
    says: (bound: number) => `must be less than ${bound}`,
  },
  minLength: {
    about: 'string',
    holds: (least: number, text: string, spend) => isAsLong(text, least, spend),
    says: atLeast('character'),
  },
  maxLength: {
    about: 'string',
    holds: (most: number, text: string, spend) => !isAsLong(text, most + 1, spend),
    says: atMost('character'),
  },
  format: {
    about: 'string',
    holds: (name: string, text: string, spend) => {
      if (!Object.hasOwn(FORMATS, name) || text.length > MAX_FORMAT_LENGTH) return undefined;
      spend(stepsOf(text));
      return FORMATS[name]!(text);
    },
    says: (name: string) => `must be of the format ${name}`,
  },
  minItems: {
    about: 'array',
    holds: (least: number, items: unknown[]) => items.length >= least,
    says: atLeast('item'),
  },
  maxItems: {
    about: 'array',
    holds: (most: number, items: unknown[]) => items.length <= most,
    says: atMost('item'),
  },
  uniqueItems: {
    about: 'array',
    holds: (isAsked: boolean, items: unknown[], spend) => !isAsked || areUnique(items, spend),
    says: () => 'must not have an item twice',
  },
  minProperties: {
    about: 'object',
    holds: (least: number, value: object, spend) => fieldsOf(value, spend) >= least,
    says: atLeast('field'),
  },
  maxProperties: {
    about: 'object',
    holds: (most: number, value: object, spend) => fieldsOf(value, spend) <= most,
    says: atMost('field'),
  },
} as const satisfies Partial<Record<Keyword, Assertion>>;

/** Whether the keyword says something of the value at all. */
export const isAbout = ({ about }: Pick<Assertion, 'about'>, value: unknown): boolean =>
  about === undefined || (about === 'object' ? isJsonObject(value) : typeOf(value) === about);
