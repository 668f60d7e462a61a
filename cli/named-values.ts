import { CliError } from './exit-codes';
import { isObject } from './is-object';

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

/** Names with dots are paths: `retry.maxAttempts=3` is a field within a field. A repeated name is a list. */
export function nestedValuesOf(
  flag: string,
  given: readonly string[] = [],
): Record<string, unknown> | undefined {
  if (given.length === 0) return undefined;
  const whole: Record<string, unknown> = {};
  for (const text of given) {
    const [[name, value] = []] = Object.entries(valuesOf(flag, [text])!);
    const path = name!.split('.');
    if (path.some((part) => part === '' || part === '__proto__'))
      throw new CliError(`${flag} is ${JSON.stringify(text)}; expected name=value, or a.b=value`);
    put(whole, path, value);
  }
  return whole;
}

function put(into: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  const known = Object.hasOwn(into, name) ? into[name] : undefined;
  if (rest.length > 0) {
    const below = isObject(known) ? known : {};
    into[name] = below;
    put(below, rest, value);
  } else if (known === undefined) into[name] = value;
  else into[name] = Array.isArray(known) ? [...(known as unknown[]), value] : [known, value];
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
