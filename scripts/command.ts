import { parseArgs, type ParseArgsConfig } from 'node:util';

type FlagOptions = NonNullable<ParseArgsConfig['options']>;

/** A mistake of the operator: the message says what was expected. The exit code is 2. */
export class UsageError extends Error {}

/** The values of the flags. Throws a `UsageError` that names a flag which is not known, or lacks a value. */
export function flagsOf<Options extends FlagOptions>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new UsageError(`${(cause as Error).message.split('. ')[0]}; see --help`, { cause });
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs a command with the arguments of the process. A failure is one line; the exit code says its kind. */
export function runCommand(name: string, main: (args: string[]) => Promise<void> | void): void {
  const run = async () => main(process.argv.slice(2));
  run().catch((error: unknown) => {
    process.stderr.write(`${name}: ${messageOf(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  });
}
