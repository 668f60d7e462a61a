/** In DynamoDB's JSON: `{ S: 'text' }`. */
type AttributeValue = Record<string, unknown>;

/**
 * dynalite's context of an expression. The parser removes from `unused…` the names that the expression uses.
 */
interface Context {
  attrNames?: Record<string, string>;
  attrVals?: Record<string, AttributeValue>;
  unusedAttrNames: Record<string, true>;
  unusedAttrVals: Record<string, true>;
  isKeyCondition?: boolean;
}

/** One of dynalite's expression parsers. Throws on an invalid expression. */
export type Parse = (text: string, options: { context: Context }) => unknown;

/** A parsed expression, in which each value is replaced by its name. */
interface Parsed {
  template: unknown;
  usedNames: string[];
  usedValues: string[];
}

class ValueName {
  constructor(readonly name: string) {}
}

const MAX_CACHED = 1_000;
/** For these, the parser checks values, not only their types. They are not cached. */
const DEPENDS_ON_VALUES = /between|attribute_type/i;

/**
 * Caches the results of a parser. The stages use a few expressions all the time, with different values.
 * Parsing them again would take dynalite more time than all of its other work.
 */
export function cachedParser(parse: Parse): Parse {
  const cache = new Map<string, Parsed>();
  return (text, { context }) => {
    if (DEPENDS_ON_VALUES.test(text)) return parse(text, { context });
    const key = keyOf(text, context);
    let parsed = cache.get(key);
    if (!parsed) {
      parsed = parseTemplate(text, context, parse);
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(key, parsed);
    }
    for (const name of parsed.usedNames) delete context.unusedAttrNames[name];
    for (const name of parsed.usedValues) delete context.unusedAttrVals[name];
    return copy(parsed.template, (leaf) =>
      leaf instanceof ValueName ? context.attrVals![leaf.name] : undefined,
    );
  };
}

/** Everything the result depends on: the types of values, but not the values. */
const keyOf = (text: string, { attrNames = {}, attrVals = {}, isKeyCondition = false }: Context): string =>
  JSON.stringify([
    text,
    isKeyCondition,
    attrNames,
    Object.entries(attrVals).map(([name, value]) => [name, Object.keys(value)[0]]),
  ]);

function parseTemplate(text: string, context: Context, parse: Parse): Parsed {
  const { attrNames = {}, attrVals = {} } = context;
  const unusedAttrNames = keysOf(attrNames);
  const unusedAttrVals = keysOf(attrVals);
  const result = parse(text, { context: { ...context, unusedAttrNames, unusedAttrVals } });
  const nameOf = new Map(Object.entries(attrVals).map(([name, value]) => [value, new ValueName(name)]));
  return {
    template: copy(result, (leaf) => nameOf.get(leaf as AttributeValue)),
    usedNames: Object.keys(attrNames).filter((name) => !(name in unusedAttrNames)),
    usedValues: Object.keys(attrVals).filter((name) => !(name in unusedAttrVals)),
  };
}

const keysOf = (names: object): Record<string, true> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, true as const]));

/** A deep copy, in which each part is replaced by what `replace` returns for it, unless that is undefined. */
function copy(part: unknown, replace: (part: object) => unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  const replacement = replace(part);
  if (replacement !== undefined) return replacement;
  if (Array.isArray(part)) return part.map((one) => copy(one, replace));
  const result = Object.create(Object.getPrototypeOf(part) as object | null) as Record<string, unknown>;
  for (const [name, one] of Object.entries(part)) result[name] = copy(one, replace);
  return result;
}
