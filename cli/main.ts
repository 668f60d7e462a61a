import { CommanderError } from 'commander';

import { ExitCode, exitCodeOf, explain } from './exit-codes';
import type { Io } from './io';
import { makeProgram } from './program';
import { hasColour, styleOf } from './terminal/style';

/** Runs one command line, and resolves to its exit code. Never ends the process itself. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let exitCode: number = ExitCode.ok;
  const program = makeProgram(io, (code) => (exitCode = code));
  try {
    await program.parseAsync(args as string[], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed the message. `--help` also arrives here, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    const { bad } = styleOf(hasColour(io, io.stderr));
    io.stderr.write(`${bad('quarterjack:')} ${explain(error)}\n`);
    return exitCodeOf(error);
  }
}
