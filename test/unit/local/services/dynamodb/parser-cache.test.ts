import { createRequire } from 'node:module';

import { type Parse, cachedParser } from '../../../../../local/services/dynamodb/parser-cache';

const dynalite = createRequire(require.resolve('dynalite'));
const parserOf = (name: string) => (dynalite(`./db/${name}Parser`) as { parse: Parse }).parse;
const { compare } = dynalite('./db') as { compare: unknown };

const isReserved = (name: string) => name === 'status';

type Values = Record<string, Record<string, unknown>>;
interface Variant {
  names?: Record<string, string>;
  values?: Values;
  isKeyCondition?: boolean;
}

/** The outcome of a parser: its result or its error, and the names that it leaves as unused. */
function outcomeOf(parse: Parse, text: string, { names, values, isKeyCondition }: Variant) {
  const unused = (all: object = {}) =>
    Object.fromEntries(Object.keys(all).map((name) => [name, true as const]));
  const context = {
    attrNames: names,
    attrVals: values,
    unusedAttrNames: unused(names),
    unusedAttrVals: unused(values),
    isKeyCondition,
    isReserved,
    compare,
  };
  try {
    return { context, result: parse(text, { context }) };
  } catch (error) {
    return { context, error: String(error) };
  }
}

const N = (value: number) => ({ N: String(value) });
const S = (value: string) => ({ S: value });

test.each<[name: string, parser: string, text: string, ...Variant[]]>([
  [
    'other values',
    'condition',
    '#a = :a AND size(b) > :b',
    ...[1, 2].map((one) => ({ names: { '#a': 'x' }, values: { ':a': S(`${one}`), ':b': N(one) } })),
  ],
  [
    'other names',
    'condition',
    'attribute_not_exists(#a.#b[1])',
    { names: { '#a': 'x', '#b': 'y' } },
    { names: { '#a': 'y', '#b': 'x' } },
  ],
  [
    'one value twice',
    'condition',
    'a = :a OR b IN (:a, :b)',
    { values: { ':a': N(1), ':b': N(2) } },
    { values: { ':a': N(3), ':b': N(3) } },
  ],
  [
    'nested values',
    'update',
    'SET #m = :m, l = list_append(if_not_exists(l, :l), :l)',
    ...['x', 'y'].map((one) => ({
      names: { '#m': 'm' },
      values: { ':m': { M: { deep: S(one) } }, ':l': { L: [S(one)] } },
    })),
  ],
  [
    'all sections',
    'update',
    'SET a = a + :n REMOVE b[0] ADD c :n DELETE d :s',
    ...[1, 2].map((one) => ({ values: { ':n': N(one), ':s': { SS: [`${one}`] } } })),
  ],
  ['a projection', 'projection', '#a, b.c[0]', { names: { '#a': 'x' } }, { names: { '#a': 'z' } }],
  [
    'unused names and values',
    'update',
    'SET a = :a',
    { names: { '#no': 'x' }, values: { ':a': N(1), ':no': N(1) } },
    { names: { '#no': 'y' }, values: { ':a': N(2), ':no': N(2) } },
  ],
  [
    'another type of value',
    'update',
    'SET a = a + :a',
    { values: { ':a': N(1) } },
    { values: { ':a': S('x') } },
    { values: { ':a': N(2) } },
  ],
  [
    'a range with its limits reversed',
    'condition',
    'a BETWEEN :a AND :b',
    { values: { ':a': N(1), ':b': N(2) } },
    { values: { ':a': N(2), ':b': N(1) } },
  ],
  [
    'an invalid type',
    'condition',
    'attribute_type(a, :t)',
    { values: { ':t': S('S') } },
    { values: { ':t': S('X') } },
  ],
  ['a value that is missing', 'condition', 'a = :a', { values: { ':a': N(1) } }, { values: { ':b': N(1) } }],
  ['a reserved word', 'condition', 'status = :a', { values: { ':a': N(1) } }, { values: { ':a': N(2) } }],
  [
    'a key condition',
    'condition',
    'a = :a',
    { values: { ':a': N(1) } },
    { values: { ':a': N(2) }, isKeyCondition: true },
  ],
  ['nonsense', 'update', 'SET SET', {}, {}],
])('returns what the parser itself returns: %s', (_, parser, text, ...variants) => {
  const parse = parserOf(parser);
  const cached = cachedParser(parse);
  for (const variant of [...variants, ...variants]) {
    const outcome = outcomeOf(cached, text, variant);
    expect(outcome).toEqual(outcomeOf(parse, text, variant));
    overwrite(outcome.result);
  }
});

/** Changes a result, which must not change the cache. */
function overwrite(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    overwrite(inner);
    (part as Record<string, unknown>)[name] = 'overwritten';
  }
}

test('parses an expression once, whatever its values', () => {
  let parsed = 0;
  const cached = cachedParser((text, options) => {
    parsed += 1;
    return parserOf('update')(text, options);
  });
  for (let value = 0; value < 10; value++) outcomeOf(cached, 'SET a = :a', { values: { ':a': N(value) } });
  expect(parsed).toBe(1);
});
