import type { Command } from 'commander';

import { type Context, contextOf } from './context';
import type { ExitCode } from './exit-codes';
import type { Io } from './io';

/** What a command does; without an exit code it went well. */
type Handler<Options, Args extends unknown[]> = (
  context: Context,
  options: Options,
  ...args: Args
) => Promise<ExitCode | void> | ExitCode | void;

/** Turns a command's own function into what commander calls. */
export type Run = <Options, Args extends unknown[]>(
  handler: Handler<Options, Args>,
) => (...given: unknown[]) => Promise<void>;

/** `end` gets the exit code of the command that ran. */
export const runOn =
  (io: Io, end: (code: ExitCode) => void): Run =>
  (handler) =>
  async (...given) => {
    // Commander calls with the arguments, the options, and the command.
    const command = given.at(-1) as Command;
    const untyped = handler as Handler<unknown, unknown[]>;
    const code = await untyped(contextOf(command, io), given.at(-2), ...given.slice(0, -2));
    if (code !== undefined) end(code);
  };
