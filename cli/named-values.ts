import { CliError } from './exit-codes';

/** Values by their names. What is no JSON is a text. */
export function valuesOf(flag: string, given: readonly string[] = []): Record<string, unknown> | undefined {
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined) throw new CliError(`${flag} is ${JSON.stringify(text)}; expected name=value`);
      return [name, jsonOrText(value!)];
    }),
  );
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
