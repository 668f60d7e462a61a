import type { Command } from 'commander';

import { CliError, ExitCode } from '../exit-codes';

/** For the help alone: `bin.cjs` runs these as programs of their own, before it loads this one. */
export function addLocalRunCommands(program: Command): void {
  const add = (name: string, description: string, examples: string): void => {
    program
      .command(name)
      .description(description)
      .allowUnknownOption()
      .allowExcessArguments()
      .addHelpText('after', `\nExamples:\n${examples}`)
      .action(() => {
        throw new CliError(
          `${name} comes first: quarterjack ${name}; see quarterjack ${name} --help`,
          ExitCode.usage,
        );
      });
  };
  add(
    'dev',
    'Run Quarterjack on this machine: the API, the console, and jobs that fire.',
    '  quarterjack dev --open\n  quarterjack dev --to http://localhost:3000',
  );
  add(
    'token',
    'Print a token for a run on this machine.',
    '  quarterjack token\n  quarterjack token --user bob --ttl 1d',
  );
}
