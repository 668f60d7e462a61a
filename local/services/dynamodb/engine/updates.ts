import { invalid, Unsupported } from './errors';
import { type Operand, operandIn, parseOperand } from './conditions';
import { type Bindings, type Item, nameOf, parentAt, parsePath, type Path, valueAt } from './paths';
import { Tokens } from './tokens';
import { setOwn } from './values';

/**
 * Update expressions: SET (plain values, paths, `if_not_exists`, `list_append`, `+` and `-`) and REMOVE of
 * attributes. Anything else throws when parsed.
 */
export interface Update {
  set: { path: Path; value: Value }[];
  remove: Path[];
}

type Value =
  | { kind: 'operand'; operand: Operand }
  | { kind: 'if-not-exists'; path: Path; otherwise: Value }
  | { kind: 'append'; first: Value; second: Value }
  | { kind: 'sum'; left: Value; right: Value; sign: 1 | -1 };

const INVALID_PATH = 'The document path provided in the update expression is invalid for update';

export function parseUpdate(expression: string): Update {
  const tokens = new Tokens(expression);
  const update: Update = { set: [], remove: [] };
  while (!tokens.done) {
    if (tokens.take('SET')) {
      do {
        const path = parsePath(tokens);
        tokens.expect('=');
        update.set.push({ path, value: parseValue(tokens) });
      } while (tokens.take(','));
    } else if (tokens.take('REMOVE')) {
      do update.remove.push(parsePath(tokens));
      while (tokens.take(','));
    } else {
      throw tokens.unsupported(tokens.peek());
    }
  }
  return update;
}

function parseValue(tokens: Tokens): Value {
  const left = parseTerm(tokens);
  if (tokens.take('+')) return { kind: 'sum', left, right: parseTerm(tokens), sign: 1 };
  if (tokens.take('-')) return { kind: 'sum', left, right: parseTerm(tokens), sign: -1 };
  return left;
}

function parseTerm(tokens: Tokens): Value {
  if (tokens.take('IF_NOT_EXISTS')) {
    tokens.expect('(');
    const path = parsePath(tokens);
    tokens.expect(',');
    const otherwise = parseTerm(tokens);
    tokens.expect(')');
    return { kind: 'if-not-exists', path, otherwise };
  }
  if (tokens.take('LIST_APPEND')) {
    tokens.expect('(');
    const first = parseTerm(tokens);
    tokens.expect(',');
    const second = parseTerm(tokens);
    tokens.expect(')');
    return { kind: 'append', first, second };
  }
  return { kind: 'operand', operand: parseOperand(tokens) };
}

/**
 * The row after an update, with all that it leaves as it was. It shares those parts with `row`, which does
 * not change. Every value is taken from the item as it was before.
 */
export function updated(update: Update, before: Item, row: Item, bindings: Bindings): Item {
  const targets = [...update.set.map(({ path }) => path), ...update.remove];
  const spelled = new Set(targets.map((path) => path.map((step) => nameOf(step, bindings)).join('.')));
  if (spelled.size !== targets.length) throw invalid('Two document paths overlap with each other');

  const after = { ...row };
  for (const { path, value } of update.set) {
    const parent = ownParentAt(after, path, bindings);
    if (!parent) throw invalid(INVALID_PATH);
    setOwn(parent, nameOf(path.at(-1)!, bindings), evaluate(value, before, bindings));
  }
  for (const path of update.remove) {
    const parent = ownParentAt(after, path, bindings);
    if (!parent) throw invalid(INVALID_PATH);
    if (Array.isArray(parent)) throw new Unsupported('REMOVE of a list element is not supported');
    delete parent[nameOf(path.at(-1)!, bindings)];
  }
  return after;
}

/** The map or list with the last step of a path. Those on the way to it are replaced by copies. */
function ownParentAt(after: Item, path: Path, bindings: Bindings): ReturnType<typeof parentAt> {
  for (let length = 1; length < path.length; length++) {
    const above = parentAt(after, path.slice(0, length), bindings);
    const name = nameOf(path[length - 1]!, bindings);
    const value = above && Object.hasOwn(above, name) ? above[name] : undefined;
    if (Array.isArray(value)) above![name] = [...(value as unknown[])];
    else if (value !== null && typeof value === 'object') above![name] = { ...value };
  }
  return parentAt(after, path, bindings);
}

function evaluate(value: Value, item: Item, bindings: Bindings): unknown {
  switch (value.kind) {
    case 'operand': {
      const found = operandIn(value.operand, item, bindings);
      if (found === undefined) {
        throw invalid('The provided expression refers to an attribute that does not exist in the item');
      }
      return found;
    }
    case 'if-not-exists': {
      const found = valueAt(item, value.path, bindings);
      return found === undefined ? evaluate(value.otherwise, item, bindings) : found;
    }
    case 'append': {
      const [first, second] = [evaluate(value.first, item, bindings), evaluate(value.second, item, bindings)];
      if (!Array.isArray(first) || !Array.isArray(second)) throw invalid('list_append needs two lists');
      return [...(first as unknown[]), ...(second as unknown[])];
    }
    case 'sum': {
      const [left, right] = [evaluate(value.left, item, bindings), evaluate(value.right, item, bindings)];
      if (typeof left !== 'number' || typeof right !== 'number') throw invalid('+ and - need two numbers');
      return left + value.sign * right;
    }
  }
}
