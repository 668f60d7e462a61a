import { LocalRunError } from '../run/errors';
import { matchesArn, matchesWildcard } from './wildcard';

/** Condition keys of a request with their values. Keys are in lower case. */
export type Context = Readonly<Record<string, string>>;

export type Condition = (context: Context) => boolean;

/** Keys for which the local run sets a value wherever AWS does. */
const KEYS: ReadonlySet<string> = new Set([
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:sourcearn',
  'iam:passedtoservice',
]);

type Operator = (wanted: string, given: string) => boolean;

const OPERATORS: Readonly<Record<string, Operator>> = {
  ArnEquals: matchesArn,
  ArnLike: matchesArn,
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
    return Object.entries(keys).map(([key, wanted]): Condition => {
      const known = key.toLowerCase();
      if (!KEYS.has(known))
        throw new LocalRunError(`${where}: the local run does not support the condition key ${key}`);
      return (context) => {
        const given = context[known];
        return given !== undefined && wanted.some((value) => operator(value, given));
      };
    });
  });
  return (context) => tests.every((test) => test(context));
}
