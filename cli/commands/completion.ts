import { Argument, type Command } from 'commander';

import { bashScript } from '../completion/bash';
import { fishScript } from '../completion/fish';
import { idsFor } from '../completion/ids';
import { treeOf } from '../completion/tree';
import { zshScript } from '../completion/zsh';
import type { Context } from '../context';
import type { Run } from '../run';

/** The makers of scripts that have all commands in them: only ids, which the API knows, start a process. */
const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function addCompletionCommand(program: Command, run: Run): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell that you use').choices(Object.keys(SCRIPTS)))
    .description('Print a completion script for bash, zsh or fish.')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack completion bash > ~/.local/share/bash-completion/completions/quarterjack
  quarterjack completion zsh > "\${fpath[1]}/_quarterjack"
  quarterjack completion fish > ~/.config/fish/completions/quarterjack.fish

In a checkout, where the command is npx @quarterjack/cli, completion needs a function of that name:
  quarterjack() { npx @quarterjack/cli "$@"; }                  # bash and zsh
  function quarterjack; npx @quarterjack/cli $argv; end         # fish`,
    )
    .action(
      run(({ out }: Context, _flags: object, shell: keyof typeof SCRIPTS) =>
        out(SCRIPTS[shell](treeOf(program))),
      ),
    );
  program
    .command('complete [words...]', { hidden: true })
    .description('Print the ids that the last word may become. The scripts of completion call it.')
    .action(
      run(async ({ io, out }: Context, _flags: object, words: string[]) => {
        // An error would stand in the middle of the line that is typed.
        const ids = await idsFor(program, words, io).catch(() => []);
        for (const id of ids) out(`${id}\n`);
      }),
    );
}
