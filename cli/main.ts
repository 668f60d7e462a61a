import { CommanderError } from 'commander';

import { ProblemError } from '../client';
import { ExitCode, exitCodeOf, explain } from './exit-codes';
import type { Io } from './io';
import { makeProgram, UsageError } from './program';
import { jsonText } from './terminal/printable';
import { asksForJson } from './terminal/formats';
import { hasColour, styleOf } from './terminal/style';

/** Runs one command line, and resolves to its exit code. Never ends the process itself. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let exitCode: number = ExitCode.ok;
  const program = makeProgram(io, (code) => (exitCode = code));
  try {
    await program.parseAsync(args as string[], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed the help. `--help` also arrives here, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    io.stderr.write(asksForJson(args) ? jsonText({ error: errorOf(error) }) : errorText(error, io));
    return exitCodeOf(error);
  }
}

function errorText(error: unknown, io: Io): string {
  const { bad } = styleOf(hasColour(io, io.stderr));
  const usage = error instanceof UsageError ? `Usage: ${error.usage}\n` : '';
  return `${bad('quarterjack:')} ${explain(error)}\n${usage}`;
}

/** An error for scripts: with `--json`, the whole of stderr where nothing else is said. */
function errorOf(error: unknown): object {
  const problem = error instanceof Error && error.cause instanceof ProblemError ? error.cause : error;
  return {
    message: explain(error),
    exitCode: exitCodeOf(error),
    ...(problem instanceof ProblemError && {
      status: problem.status,
      type: problem.type,
      title: problem.title,
      detail: problem.detail,
      instance: problem.instance,
      requestId: problem.requestId,
      errors: problem.errors,
    }),
  };
}
