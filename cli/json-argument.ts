import { CliError } from './exit-codes';
import { readText } from './read-definition';

/** The JSON of a flag. Throws a `CliError` that names it. */
export function jsonOf(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError(
      `${flag} is not JSON: ${(cause as Error).message}; write a string as '"text"'`,
      undefined,
      { cause },
    );
  }
}

/** The JSON of a flag as it is typed, or that of `@FILE`. */
export const jsonOrFile = (flag: string, text: string): unknown =>
  text.startsWith('@') ? jsonOf(text, readText(text.slice(1))) : jsonOf(flag, text);
