import type { Command } from 'commander';

import type { Quarterjack } from '../../client';
import type { Context } from '../context';
import { ExitCode } from '../exit-codes';
import type { Run } from '../run';
import { plain } from '../terminal/table';
import { addYes, confirmed } from './ask';

interface DeleteCommand {
  /** Name of the argument, as completion knows it: `name`. */
  argument: string;
  /** What is deleted: `secret`. */
  what: string;
  example: string;
  /** The field of the id in the result, if it has another name than the argument. */
  field?: string;
  /** What `--force` does. Absent: there is no such flag. */
  force?: string;
  description: string;
  remove(client: Quarterjack, id: string, options: { force: boolean }): Promise<unknown>;
}

interface DeleteFlags {
  force?: boolean;
  yes?: boolean;
}

/** Adds `GROUP delete ID`, also known as `rm`. */
export function addDelete(
  group: Command,
  run: Run,
  { argument, what, field = argument, ...more }: DeleteCommand,
) {
  const command = group.command(`delete <${argument}>`).alias('rm').description(more.description);
  if (more.force !== undefined) command.option('--force', more.force);
  addYes(command)
    .addHelpText('after', `\nExamples:\n  quarterjack ${group.name()} delete ${more.example}`)
    .action(
      run(async (context: Context, { force = false, yes }: DeleteFlags, id: string) => {
        if (!(await confirmed(context, `Delete the ${what} ${plain(id)}?`, yes))) return ExitCode.failed;
        await more.remove(context.client(), id, { force });
        context.print({ [field]: id, deleted: true }, () => `${plain(id)} is deleted\n`);
        return ExitCode.ok;
      }),
    );
}
