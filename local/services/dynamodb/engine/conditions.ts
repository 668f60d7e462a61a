import { invalid } from './errors';
import { type Bindings, type Item, parsePath, type Path, valueAt } from './paths';
import { Tokens } from './tokens';

/**
 * Condition, filter and key condition expressions: parentheses, AND, OR, NOT, comparators (but `<>`),
 * BETWEEN, IN, `attribute_exists`, `attribute_not_exists`, `begins_with`, `contains`, `size`. Anything else
 * throws when parsed.
 */
export type Condition =
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'compare'; left: Operand; comparator: Comparator; right: Operand }
  | { kind: 'between'; value: Operand; low: Operand; high: Operand }
  | { kind: 'in'; value: Operand; list: Operand[] }
  | { kind: 'exists' | 'not-exists'; path: Path }
  | { kind: 'begins-with' | 'contains'; path: Path; operand: Operand };

export type Comparator = '=' | '<' | '<=' | '>' | '>=';
export type Operand = { path: Path } | { value: string } | { sizeOf: Path };

const COMPARATORS = new Set<string>(['=', '<', '<=', '>', '>=']);
const FUNCTIONS = {
  attribute_exists: 'exists',
  attribute_not_exists: 'not-exists',
  begins_with: 'begins-with',
  contains: 'contains',
} as const;

export function parseCondition(expression: string): Condition {
  const tokens = new Tokens(expression);
  const condition = parseOr(tokens);
  if (!tokens.done) throw tokens.unsupported(tokens.peek());
  return condition;
}

function parseOr(tokens: Tokens): Condition {
  const parts = [parseAnd(tokens)];
  while (tokens.take('OR')) parts.push(parseAnd(tokens));
  return parts.length === 1 ? parts[0]! : { kind: 'or', parts };
}

function parseAnd(tokens: Tokens): Condition {
  const parts = [parseNot(tokens)];
  while (tokens.take('AND')) parts.push(parseNot(tokens));
  return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
}

const parseNot = (tokens: Tokens): Condition =>
  tokens.take('NOT') ? { kind: 'not', part: parseNot(tokens) } : parsePrimary(tokens);

function parsePrimary(tokens: Tokens): Condition {
  if (tokens.take('(')) {
    const inner = parseOr(tokens);
    tokens.expect(')');
    return inner;
  }
  const called = FUNCTIONS[tokens.peek() as keyof typeof FUNCTIONS];
  if (called) {
    tokens.next();
    return parseCall(tokens, called);
  }
  const left = parseOperand(tokens);
  if (tokens.take('BETWEEN')) {
    const low = parseOperand(tokens);
    tokens.expect('AND');
    return { kind: 'between', value: left, low, high: parseOperand(tokens) };
  }
  if (tokens.take('IN')) {
    tokens.expect('(');
    const list = [parseOperand(tokens)];
    while (tokens.take(',')) list.push(parseOperand(tokens));
    tokens.expect(')');
    return { kind: 'in', value: left, list };
  }
  const comparator = tokens.next();
  if (!COMPARATORS.has(comparator)) throw tokens.unsupported(comparator);
  return { kind: 'compare', left, comparator: comparator as Comparator, right: parseOperand(tokens) };
}

function parseCall(tokens: Tokens, kind: (typeof FUNCTIONS)[keyof typeof FUNCTIONS]): Condition {
  tokens.expect('(');
  const path = parsePath(tokens);
  if (kind === 'exists' || kind === 'not-exists') {
    tokens.expect(')');
    return { kind, path };
  }
  tokens.expect(',');
  const operand = parseOperand(tokens);
  tokens.expect(')');
  return { kind, path, operand };
}

export function parseOperand(tokens: Tokens): Operand {
  if (tokens.peek().startsWith(':')) return { value: tokens.next() };
  if (tokens.take('SIZE')) {
    tokens.expect('(');
    const sizeOf = parsePath(tokens);
    tokens.expect(')');
    return { sizeOf };
  }
  return { path: parsePath(tokens) };
}

/** Whether an item meets a condition. An item that does not exist is an empty one. */
export function meets(condition: Condition, item: Item, bindings: Bindings): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => meets(part, item, bindings));
    case 'or':
      return condition.parts.some((part) => meets(part, item, bindings));
    case 'not':
      return !meets(condition.part, item, bindings);
    case 'exists':
      return valueAt(item, condition.path, bindings) !== undefined;
    case 'not-exists':
      return valueAt(item, condition.path, bindings) === undefined;
    case 'compare':
      return compares(
        operandIn(condition.left, item, bindings),
        condition.comparator,
        operandIn(condition.right, item, bindings),
      );
    case 'between': {
      const value = operandIn(condition.value, item, bindings);
      const low = operandIn(condition.low, item, bindings);
      const high = operandIn(condition.high, item, bindings);
      if (compares(low, '>', high)) throw invalid('The BETWEEN operator requires upper bound >= lower bound');
      return compares(value, '>=', low) && compares(value, '<=', high);
    }
    case 'in': {
      const value = operandIn(condition.value, item, bindings);
      return condition.list.some((operand) => compares(value, '=', operandIn(operand, item, bindings)));
    }
    case 'begins-with': {
      const value = valueAt(item, condition.path, bindings);
      const prefix = operandIn(condition.operand, item, bindings);
      return typeof value === 'string' && typeof prefix === 'string' && value.startsWith(prefix);
    }
    case 'contains': {
      const value = valueAt(item, condition.path, bindings);
      const part = operandIn(condition.operand, item, bindings);
      if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
      return Array.isArray(value) && value.some((element) => equals(element, part));
    }
  }
}

export function operandIn(operand: Operand, item: Item, bindings: Bindings): unknown {
  if ('value' in operand) return bindings.values[operand.value];
  if ('path' in operand) return valueAt(item, operand.path, bindings);
  const sized = valueAt(item, operand.sizeOf, bindings);
  if (typeof sized === 'string') return Buffer.byteLength(sized);
  if (sized !== null && typeof sized === 'object') return Object.keys(sized).length;
  return undefined;
}

/** As DynamoDB compares: values of one type only; what is missing compares to nothing. */
function compares(left: unknown, comparator: Comparator, right: unknown): boolean {
  if (left === undefined || right === undefined) return false;
  if (comparator === '=') return equals(left, right);
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
  const [a, b] = [left, right as typeof left];
  if (comparator === '<') return a < b;
  if (comparator === '<=') return a <= b;
  if (comparator === '>') return a > b;
  return a >= b;
}

function equals(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [a, b] = [left as Item, right as Item];
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equals(a[name], b[name]))
  );
}
