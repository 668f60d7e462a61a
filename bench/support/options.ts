import { parseArgs } from 'node:util';

/**
 * Reads whole numbers from the command line by name, with defaults, and accepts `--json`. Throws for anything
 * else.
 */
export function numbersFrom<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    },
  });
  const numberOf = (name: Name): number => {
    const text = (values as Record<string, unknown>)[name];
    if (text === undefined) return defaults[name];
    if (typeof text !== 'string' || !/^\d{1,9}$/.test(text))
      throw new Error(`--${name} is ${JSON.stringify(text)}; expected a whole number`);
    return Number(text);
  };
  return Object.fromEntries(names.map((name) => [name, numberOf(name)])) as Record<Name, number>;
}
