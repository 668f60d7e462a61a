import type { Command } from 'commander';

/** A command, and the words that may follow it. */
export interface Node {
  /** `jobs create`; empty for the program itself. */
  path: string;
  commands: { name: string; description: string }[];
  /** Its own options, and those of the commands above it. */
  options: { flag: string; description: string; takesValue: boolean; choices: readonly string[] }[];
}

/** All commands of the program, including those that have subcommands. */
export function treeOf(program: Command): Node[] {
  const visit = (command: Command, path: string[], inherited: Node['options']): Node[] => {
    const commands = command.createHelp().visibleCommands(command);
    const own = command.options.map(({ long, description, required, optional, argChoices }) => ({
      flag: long ?? '',
      description,
      takesValue: required || optional,
      choices: argChoices ?? [],
    }));
    const options = [...own, ...inherited];
    const node: Node = {
      path: path.join(' '),
      commands: commands.map((one) => ({ name: one.name(), description: one.description() })),
      options: [...options, { flag: '--help', description: 'display help', takesValue: false, choices: [] }],
    };
    const below = commands.filter((one) => one.name() !== 'help');
    return [node, ...below.flatMap((one) => visit(one, [...path, one.name()], options))];
  };
  return visit(program, [], []);
}
