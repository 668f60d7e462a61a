import { faultsOf } from './fields';
import { type Json, neededText, numberIn, objectIn, objectsIn, textIn, Unmapped } from '../json';
import type { Scope } from './scope';
import { templateOf, type Value } from './value';

/** One comparison of a rule with a value. */
export interface Test {
  /** A template of what is compared. */
  on: string;
  comparison: Json;
  /** A number is compared by its order: anything else is no match, and the test of a switch would fail. */
  isOrder: boolean;
}

/** A rule. A text is what a switch decides; `true` and `false` are known before it runs. */
export type Condition =
  | { test: Test }
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { known: boolean };

const ORDERS: Readonly<Record<string, string>> = {
  NumericGreaterThan: 'gt',
  NumericGreaterThanEquals: 'gte',
  NumericLessThan: 'lt',
  NumericLessThanEquals: 'lte',
};
const EQUALS: Readonly<Record<string, 'string' | 'number' | 'boolean'>> = {
  StringEquals: 'string',
  NumericEquals: 'number',
  BooleanEquals: 'boolean',
};
/** The first characters of a value as JSON tell its type. */
const DIGITS = ['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** The condition of a rule of a choice. Throws `Unmapped`. */
export function conditionOf(rule: Json, input: Value, scope: Scope): Condition {
  const [fault] = faultsOf('rule', rule);
  if (fault !== undefined) throw new Unmapped(`Choices: ${fault}`);
  const operators = Object.keys(rule).filter((name) => !['Comment', 'Next', 'Variable'].includes(name));
  const [operator = ''] = operators;
  if (operators.length !== 1)
    throw new Unmapped(`a rule compares by ${operators.join(' and ') || 'nothing'}`);
  const inner = () => objectsIn(rule, operator).map((one) => conditionOf(one, input, scope));
  if (operator === 'And') return { all: inner() };
  if (operator === 'Or') return { any: inner() };
  if (operator === 'Not') return { not: conditionOf(objectIn(rule, 'Not')!, input, scope) };
  const path = neededText(rule, 'Variable');
  const value = scope.optional(path, input);
  if (operator === 'IsPresent') return presence(value, boolIn(rule, operator));
  if (!value) throw new Unmapped(`${path} has no value here, so the state would fail`);
  if (value.kind === 'unknown') throw new Unmapped(value.why);
  return value.kind === 'path'
    ? testOf(rule, operator, value.text)
    : { known: isKnown(rule, operator, value.kind === 'json' ? value.json : {}) };
}

function presence(value: Value | undefined, isWanted: boolean): Condition {
  if (!value) return { known: !isWanted };
  if (value.kind === 'unknown') throw new Unmapped(value.why);
  if (value.kind !== 'path') return { known: isWanted };
  return { test: { on: templateOf(value.text), comparison: { exists: isWanted }, isOrder: false } };
}

const boolIn = (rule: Json, field: string): boolean => {
  if (typeof rule[field] === 'boolean') return rule[field];
  throw new Unmapped(`${field} is neither true nor false`);
};

const negatedUnless = (isWanted: boolean, condition: Condition): Condition =>
  isWanted ? condition : { not: condition };

function testOf(rule: Json, operator: string, text: string): Condition {
  const on = templateOf(text);
  const test = (comparison: Json, how: Partial<Test> = {}): Condition => ({
    test: { on, comparison, isOrder: false, ...how },
  });
  const type = EQUALS[operator];
  if (type) return test({ equals: operandOf(rule, operator, type) });
  const order = ORDERS[operator];
  if (order) return test({ [order]: operandOf(rule, operator, 'number') }, { isOrder: true });
  const isWanted = boolIn(rule, operator);
  switch (operator) {
    case 'IsNull':
      return negatedUnless(isWanted, test({ equals: null }));
    case 'IsBoolean':
      return negatedUnless(isWanted, test({ in: [true, false] }));
    case 'IsNumeric':
      return negatedUnless(isWanted, { test: isNumber(text) });
    case 'IsString':
      return negatedUnless(isWanted, test({ equals: '"' }, { on: firstOf(text) }));
    default:
      throw new Unmapped(`the comparison ${operator} is not translated`);
  }
}

const firstOf = (text: string): string => templateOf(`${text} | json | slice(0, 1)`);
const isNumber = (text: string): Test => ({ on: firstOf(text), comparison: { in: DIGITS }, isOrder: false });

/** The test that has to hold before an order is asked for. */
export const numberTestOf = ({ on }: Test): Test => isNumber(on.slice('{{ '.length, -' }}'.length));

function operandOf(rule: Json, operator: string, type: 'string' | 'number' | 'boolean') {
  const value = rule[operator];
  if (typeof value === type) return value as string | number | boolean;
  throw new Unmapped(`${operator} compares with ${JSON.stringify(value)}`);
}

/** The outcome for a value that the definition gives; `{}` is any object or list. */
function isKnown(rule: Json, operator: string, value: unknown): boolean {
  const isWanted = () => boolIn(rule, operator);
  switch (operator) {
    case 'StringEquals':
      return value === textIn(rule, operator);
    case 'BooleanEquals':
      return value === boolIn(rule, operator);
    case 'IsNull':
      return (value === null) === isWanted();
    case 'IsBoolean':
      return (typeof value === 'boolean') === isWanted();
    case 'IsNumeric':
      return (typeof value === 'number') === isWanted();
    case 'IsString':
      return (typeof value === 'string') === isWanted();
    default: {
      const bound = numberIn(rule, operator, { least: -Infinity, whole: false })!;
      return typeof value === 'number' && compares(operator, value, bound);
    }
  }
}

function compares(operator: string, value: number, bound: number): boolean {
  switch (operator) {
    case 'NumericEquals':
      return value === bound;
    case 'NumericGreaterThan':
      return value > bound;
    case 'NumericGreaterThanEquals':
      return value >= bound;
    case 'NumericLessThan':
      return value < bound;
    case 'NumericLessThanEquals':
      return value <= bound;
    default:
      throw new Unmapped(`the comparison ${operator} is not translated`);
  }
}
