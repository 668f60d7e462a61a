import { CommanderError } from 'commander';

import { ExitCode, exitCodeOf, explain } from './exit-codes';
import type { Io } from './io';
import { makeProgram } from './program';
import { hasColour, styleOf } from './terminal/style';

/** Runs one command line; the exit code is the answer. Nothing here ends the process. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let exitCode: number = ExitCode.ok;
  const program = makeProgram(io, (code) => (exitCode = code));
  try {
    await program.parseAsync(args as string[], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has said what is wrong itself; asking for help is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    const { bad } = styleOf(hasColour(io, io.stderr));
    io.stderr.write(`${bad('quarterjack:')} ${explain(error)}\n`);
    return exitCodeOf(error);
  }
}
