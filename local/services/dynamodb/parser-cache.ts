/** As JSON spells it: `{ S: 'text' }`. */
type AttributeValue = Record<string, unknown>;

/** What dynalite gives its parsers of expressions. The parser takes out of `unused…` what the expression mentions. */
interface Context {
  attrNames?: Record<string, string>;
  attrVals?: Record<string, AttributeValue>;
  unusedAttrNames: Record<string, true>;
  unusedAttrVals: Record<string, true>;
  isKeyCondition?: boolean;
}

/** One of dynalite's parsers of expressions. Throws where the expression is wrong. */
export type Parse = (text: string, options: { context: Context }) => unknown;

/** An expression as it was parsed once, with the names of values where values were. */
interface Parsed {
  template: unknown;
  names: string[];
  values: string[];
}

class ValueName {
  constructor(readonly name: string) {}
}

const MOST_KEPT = 1_000;
/** Their checks ask what a value is, not only of which type. */
const ASKS_FOR_VALUES = /between|attribute_type/i;

/**
 * A parser that remembers. Stages say the same few things all day with other values, and to parse them anew takes dynalite
 * more time than all else that it does.
 */
export function parseOnce(parse: Parse): Parse {
  const known = new Map<string, Parsed>();
  return (text, { context }) => {
    if (ASKS_FOR_VALUES.test(text)) return parse(text, { context });
    const key = keyOf(text, context);
    let parsed = known.get(key);
    if (!parsed) {
      parsed = parseTemplate(text, context, parse);
      if (known.size >= MOST_KEPT) known.clear();
      known.set(key, parsed);
    }
    for (const name of parsed.names) delete context.unusedAttrNames[name];
    for (const name of parsed.values) delete context.unusedAttrVals[name];
    return copied(parsed.template, (leaf) =>
      leaf instanceof ValueName ? context.attrVals![leaf.name] : undefined,
    );
  };
}

/** All that a parser goes by: the types of values, but not the values. */
const keyOf = (text: string, { attrNames = {}, attrVals = {}, isKeyCondition = false }: Context): string =>
  JSON.stringify([
    text,
    isKeyCondition,
    attrNames,
    Object.entries(attrVals).map(([name, value]) => [name, Object.keys(value)[0]]),
  ]);

function parseTemplate(text: string, context: Context, parse: Parse): Parsed {
  const { attrNames = {}, attrVals = {} } = context;
  const unusedAttrNames = allOf(attrNames);
  const unusedAttrVals = allOf(attrVals);
  const result = parse(text, { context: { ...context, unusedAttrNames, unusedAttrVals } });
  const nameOf = new Map(Object.entries(attrVals).map(([name, value]) => [value, new ValueName(name)]));
  return {
    template: copied(result, (leaf) => nameOf.get(leaf as AttributeValue)),
    names: Object.keys(attrNames).filter((name) => !(name in unusedAttrNames)),
    values: Object.keys(attrVals).filter((name) => !(name in unusedAttrVals)),
  };
}

const allOf = (names: object): Record<string, true> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, true as const]));

/** A deep copy, but for what `instead` gives something for. */
function copied(part: unknown, instead: (part: object) => unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  const other = instead(part);
  if (other !== undefined) return other;
  if (Array.isArray(part)) return part.map((one) => copied(one, instead));
  const copy = Object.create(Object.getPrototypeOf(part) as object | null) as Record<string, unknown>;
  for (const [name, one] of Object.entries(part)) copy[name] = copied(one, instead);
  return copy;
}
