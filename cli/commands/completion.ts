import type { Command } from 'commander';

import { completionScript, SHELLS, type Shell } from '../completion/script';
import { treeOf } from '../completion/tree';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import type { Run } from '../run';

export function addCompletionCommand(program: Command, run: Run): void {
  program
    .command('completion <shell>')
    .description('Print a completion script for bash, zsh or fish.')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack completion bash > ~/.local/share/bash-completion/completions/quarterjack
  quarterjack completion zsh > "\${fpath[1]}/_quarterjack"
  quarterjack completion fish > ~/.config/fish/completions/quarterjack.fish`,
    )
    .action(
      run(({ out }: Context, _flags: object, shell: string) => {
        if (!SHELLS.includes(shell as Shell))
          throw new CliError(`the shell is ${JSON.stringify(shell)}; expected one of ${SHELLS.join(', ')}`);
        out(completionScript(shell as Shell, treeOf(program)));
      }),
    );
}
