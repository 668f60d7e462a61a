import type { Command } from 'commander';

import { ValidationError } from '../client';
import { type Context, contextOf } from './context';
import type { ExitCode } from './exit-codes';
import { byFlags } from './flag-of-field';
import { withVersions } from './server-version';
import type { Io } from './io';

/** The function of a command. Without an exit code, it succeeded. */
type Handler<Options, Args extends unknown[]> = (
  context: Context,
  options: Options,
  ...args: Args
) => Promise<ExitCode | void> | ExitCode | void;

/** Turns the function of a command into the one that commander calls. */
export type Run = <Options, Args extends unknown[]>(
  handler: Handler<Options, Args>,
) => (...given: unknown[]) => Promise<void>;

/** `end` is called with the exit code of the command that ran. */
export const runOn =
  (io: Io, end: (code: ExitCode) => void): Run =>
  (handler) =>
  async (...given) => {
    // Commander passes the arguments, then the options, then the command.
    const command = given.at(-1) as Command;
    const untyped = handler as Handler<unknown, unknown[]>;
    const context = contextOf(command, io);
    try {
      const code = await untyped(context, given.at(-2), ...given.slice(0, -2));
      if (code !== undefined) end(code);
    } catch (error) {
      throw error instanceof ValidationError ? byFlags(error, command) : await withVersions(error, context);
    }
  };
