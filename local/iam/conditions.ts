import { LocalRunError } from '../run/errors';
import { matchesArn, matchesWildcard } from './wildcard';

/** Condition keys of a request with their values. Keys are in lower case. */
export type Context = Readonly<Record<string, string>>;

export interface Condition {
  /** Whether a request with this context meets it. */
  isMet(context: Context): boolean;
  /** The condition keys that it tests, in lower case. */
  keys: readonly string[];
}

/** Keys for which the local run sets a value wherever AWS does. */
const KEYS: ReadonlySet<string> = new Set([
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:sourcearn',
  'dynamodb:leadingkeys',
  'ecs:cluster',
  'ecs:createaction',
  'iam:passedtoservice',
]);

type Operator = (wanted: string, given: string) => boolean;

const OPERATORS: Readonly<Record<string, Operator>> = {
  ArnEquals: matchesArn,
  ArnLike: matchesArn,
  // The local run sets a key only where the request has exactly one value.
  'ForAllValues:StringLike': matchesWildcard,
  Bool: (wanted, given) => wanted.toLowerCase() === given.toLowerCase(),
  StringEquals: (wanted, given) => wanted === given,
  StringLike: matchesWildcard,
};

/**
 * Reads a `Condition` block. All operators and keys must match; of a key's values, one is enough. A key that
 * the request does not have does not match. Throws a `LocalRunError` for an unsupported operator or key.
 */
export function readCondition(
  block: Readonly<Record<string, Record<string, string[]>>>,
  where: string,
): Condition {
  const tests = Object.entries(block).flatMap(([name, keys]) => {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (!operator)
      throw new LocalRunError(`${where}: the local run does not support the condition operator ${name}`);
    return Object.entries(keys).map(([key, wanted]) => {
      const known = key.toLowerCase();
      if (!KEYS.has(known))
        throw new LocalRunError(`${where}: the local run does not support the condition key ${key}`);
      return { key: known, operator, wanted };
    });
  });
  return {
    keys: tests.map(({ key }) => key),
    isMet: (context) =>
      tests.every(({ key, operator, wanted }) => {
        const given = context[key];
        return given !== undefined && wanted.some((value) => operator(value, given));
      }),
  };
}
