import type { Command } from 'commander';

import { CliError, ExitCode } from '../exit-codes';

/** `bin.cjs` runs this as a program of its own, if it comes first: its flags are not known here. */
export const comesFirst = (name: string): CliError =>
  new CliError(`${name} comes first: quarterjack ${name}; see quarterjack ${name} --help`, ExitCode.usage);

/** For the help alone. */
export function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description('Print a token for a run on this machine.')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', '\nExamples:\n  quarterjack token\n  quarterjack token --user bob --ttl 1d')
    .action(() => {
      throw comesFirst('token');
    });
}
