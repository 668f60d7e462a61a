import type { Command } from 'commander';

import type { ValidationError } from '../client';
import { CliError, ExitCode } from './exit-codes';

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
export function byFlags(error: ValidationError, command: Command): Error {
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
