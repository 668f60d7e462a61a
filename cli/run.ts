import type { Command } from 'commander';

import { ValidationError } from '../client';
import { type Context, contextOf } from './context';
import { CliError, ExitCode } from './exit-codes';
import type { Io } from './io';
import { withLocalToken } from './local-token';
import { withVersions } from './server-version';

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
      if (error instanceof ValidationError) throw byFlags(error, command);
      throw withLocalToken(await withVersions(error, context), context);
    }
  };

/** The flags for fields of targets, which have other names. */
const FLAGS_OF: Readonly<Record<string, string>> = {
  url: 'http',
  to: 'email',
  functionArn: 'lambda',
  queueUrl: 'sqs',
  topicArn: 'sns',
  stateMachineArn: 'stateMachine',
};

/** What the API rejects of a command, by the flags that were given in place of the fields. */
function byFlags(error: ValidationError, command: Command): Error {
  const flags = error.errors.map(({ path }) => flagOf(path, command));
  if (flags.every((flag) => flag === undefined)) return error;
  const message = error.errors.map((one, index) => `${flags[index] ?? one.path} ${one.message}`).join('\n');
  return new CliError(message, ExitCode.failed, { cause: error });
}

/** From the last part of the path on: `schedule.timezone` may be of `--timezone` or of `--schedule`. */
function flagOf(path: string, command: Command): string | undefined {
  const names = path.split('.').filter((part) => !/^\d+$/.test(part));
  for (const name of names.reverse()) {
    const known = [name, FLAGS_OF[name], name.replace(/s$/, '')];
    const option = command.options.find((one) => known.includes(one.attributeName()));
    if (option?.long && command.getOptionValueSource(option.attributeName()) === 'cli') return option.long;
  }
  return undefined;
}
