import type { Command } from 'commander';

import { takesIds } from './ids';

/** What a value may be: one of a few words, the name of a file, or (neither) anything. */
export interface Values {
  choices: readonly string[];
  isFile: boolean;
}

export interface FlagNode extends Values {
  flag: string;
  /** Its short form: `-o`. */
  short?: string;
  description: string;
  takesValue: boolean;
}

/** A command, and the words that may follow it. */
export interface Node {
  /** `jobs create`; empty for the program itself. */
  path: string;
  commands: { name: string; description: string }[];
  /** Its own options, and those of the commands above it. */
  options: FlagNode[];
  /** Its first argument, if it takes one. */
  argument: Values | undefined;
  /** Whether its arguments are ids: `quarterjack complete` finds them. */
  takesIds: boolean;
}

/** Placeholders of values that are names of files: `--out <file>`, `--file <path>`. */
const FILE = /<(file|path)>/;
const HELP: FlagNode = {
  flag: '--help',
  description: 'display help',
  takesValue: false,
  choices: [],
  isFile: false,
};

/** All commands of the program, including those that have subcommands. */
export function treeOf(program: Command): Node[] {
  const visit = (command: Command, path: string[], inherited: FlagNode[]): Node[] => {
    const commands = command.createHelp().visibleCommands(command);
    const shown = command.options.filter(({ hidden }) => !hidden);
    const own = shown.map(({ long, short, flags, description, required, optional, argChoices }) => ({
      flag: long ?? '',
      short,
      description,
      takesValue: required || optional,
      choices: argChoices ?? [],
      isFile: FILE.test(flags),
    }));
    const options = [...own, ...inherited];
    const node: Node = {
      path: path.join(' '),
      commands: commands.map((one) => ({ name: one.name(), description: one.description() })),
      options: [...options, HELP],
      argument: argumentOf(command),
      takesIds: takesIds(path.join(' '), command),
    };
    const below = commands.filter((one) => one.name() !== 'help');
    return [node, ...below.flatMap((one) => visit(one, [...path, one.name()], options))];
  };
  return visit(program, [], []);
}

function argumentOf({ registeredArguments: [first] }: Command): Values | undefined {
  if (!first) return undefined;
  return { choices: first.argChoices ?? [], isFile: FILE.test(`<${first.name()}>`) };
}

/** Paths of the commands that have subcommands. */
export const groupsOf = (tree: readonly Node[]): string[] =>
  tree.filter(({ path, commands }) => path !== '' && commands.length > 0).map(({ path }) => path);

/** `--print` and `-o`: both ways to type a flag. */
export const spellingsOf = ({ flag, short }: FlagNode): string[] =>
  short === undefined ? [flag] : [flag, short];

/** The flags that take a value, in each way to type them, each once. */
export const flagsWithValue = (tree: readonly Node[]): string[] => [
  ...new Set(tree.flatMap(({ options }) => options.filter((one) => one.takesValue).flatMap(spellingsOf))),
];

/** For bash and zsh: what each flag that has known values offers, as cases of `command flag`. */
export const valueCases = ({ path, options }: Node, offer: (values: Values) => string): string[] =>
  options
    .filter(({ choices, isFile }) => choices.length > 0 || isFile)
    .map((option) => {
      const typed = spellingsOf(option).map((spelling) => `"${path} ${spelling}"`);
      return `    ${typed.join('|')}) ${offer(option)}; return ;;`;
    });
