import { type Condition, parseCondition } from './conditions';
import { invalid } from './errors';
import type { Notation } from './notation';
import type { Bindings, Path } from './paths';
import { parsePath } from './paths';
import { Tokens } from './tokens';
import { parseUpdate, type Update } from './updates';

/** The parsed expressions of a request. Each spelling is parsed once. */
export interface Plan {
  condition?: Condition;
  keyCondition?: Condition;
  filter?: Condition;
  update?: Update;
  projection?: Path[];
  bindings: Bindings;
}

export interface ExpressionInput {
  ConditionExpression?: string;
  KeyConditionExpression?: string;
  FilterExpression?: string;
  UpdateExpression?: string;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

const conditions = new Map<string, Condition>();
const updates = new Map<string, Update>();
const projections = new Map<string, Path[]>();
const EXPRESSIONS = [
  'ConditionExpression',
  'KeyConditionExpression',
  'FilterExpression',
  'UpdateExpression',
  'ProjectionExpression',
] as const;
const placeholders = new Map<string, ReadonlySet<string>>();

/** `itemIn`: reads the spelling of values. */
export function planOf(input: ExpressionInput, { itemIn }: Notation): Plan {
  checkPlaceholders(input);
  return {
    condition: cached(conditions, input.ConditionExpression, parseCondition),
    keyCondition: cached(conditions, input.KeyConditionExpression, parseCondition),
    filter: cached(conditions, input.FilterExpression, parseCondition),
    update: cached(updates, input.UpdateExpression, parseUpdate),
    projection: cached(projections, input.ProjectionExpression, parseProjection),
    bindings: {
      names: input.ExpressionAttributeNames ?? {},
      values: itemIn(input.ExpressionAttributeValues ?? {}),
    },
  };
}

function cached<T>(
  cache: Map<string, T>,
  expression: string | undefined,
  parse: (expression: string) => T,
): T | undefined {
  if (expression === undefined) return undefined;
  let parsed = cache.get(expression);
  if (parsed === undefined) cache.set(expression, (parsed = parse(expression)));
  return parsed;
}

function parseProjection(expression: string): Path[] {
  const tokens = new Tokens(expression);
  const paths = [parsePath(tokens)];
  while (tokens.take(',')) paths.push(parsePath(tokens));
  if (!tokens.done) throw tokens.unsupported(tokens.peek());
  return paths;
}

/** DynamoDB refuses a placeholder without a binding, and a binding that no expression uses. */
function checkPlaceholders(input: ExpressionInput): void {
  const used: ReadonlySet<string>[] = [];
  for (const name of EXPRESSIONS) {
    const ofOne = cached(placeholders, input[name], placeholdersIn);
    if (ofOne) used.push(ofOne);
  }
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = input;
  for (const ofOne of used)
    for (const name of ofOne)
      if ((name.startsWith('#') ? names : values)[name] === undefined)
        throw invalid(`not defined; attributes: ${name}`);
  for (const bindings of [names, values])
    for (const name in bindings)
      if (bindings[name] !== undefined && !used.some((ofOne) => ofOne.has(name)))
        throw invalid(`unused in expressions: keys: {${name}}`);
}

const placeholdersIn = (expression: string): Set<string> => new Set(expression.match(/[#:]\w+/g) ?? []);
