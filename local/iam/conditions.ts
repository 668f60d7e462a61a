import { LocalRunError } from '../run/errors';
import { matchesArn, matchesWildcard } from './wildcard';

/** What a request carries besides action and resource, by key in lower case. */
export type Context = Readonly<Record<string, string>>;

export type Condition = (context: Context) => boolean;

/** Keys that the local run has a value for, where AWS would. */
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
 * Reads a `Condition` block: every operator and key must hold, any one of a key's values will do, and a key without
 * a value in the request does not hold. Throws for an operator or key that is not known.
 */
export function readCondition(
  block: Readonly<Record<string, Record<string, string[]>>>,
  where: string,
): Condition {
  const tests = Object.entries(block).flatMap(([name, keys]) => {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (!operator)
      throw new LocalRunError(`${where}: the local run does not know the condition operator ${name}`);
    return Object.entries(keys).map(([key, wanted]): Condition => {
      const known = key.toLowerCase();
      if (!KEYS.has(known))
        throw new LocalRunError(`${where}: the local run does not know the condition key ${key}`);
      return (context) => {
        const given = context[known];
        return given !== undefined && wanted.some((value) => operator(value, given));
      };
    });
  });
  return (context) => tests.every((test) => test(context));
}
