import type { Command } from 'commander';

import { unknownOf } from '../unknown';
import { CliError } from '../exit-codes';
import { EXECUTION_HELP } from '../execution-id';
import { TIME_HELP } from '../time-flags';

/** `help jobs patch`: the help of a command at any depth. */
export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help [command...]')
    .description('Show the help of a command.')
    .addHelpText('after', '\nExamples:\n  quarterjack help jobs patch')
    .action((words: string[]) => {
      words.reduce(commandBelow, program).outputHelp();
    });
}

function commandBelow(command: Command, word: string): Command {
  const found = command.commands.find((one) => one.name() === word);
  if (found) return found;
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name());
  if (names.length > 0) throw new CliError(`the command ${JSON.stringify(word)} ${unknownOf(word, names)}`);
  throw new CliError(`${command.name()} has no commands: ${JSON.stringify(word)} is none of them`);
}

/** Says in the help of each command how the times and executions that it takes are named. */
export function addNamingHelp(command: Command, isTimeOfParent = false): void {
  const takesTime = isTimeOfParent || command.options.some(({ flags }) => flags.includes('<time>'));
  const takesExecution = command.registeredArguments.some((one) => one.name() === 'execId');
  const texts = [...(takesExecution ? [EXECUTION_HELP] : []), ...(takesTime ? [TIME_HELP] : [])];
  if (texts.length > 0) command.addHelpText('after', `\n${texts.join('\n')}`);
  for (const below of command.commands) addNamingHelp(below, takesTime);
}
