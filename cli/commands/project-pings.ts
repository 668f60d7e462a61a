import type { Command } from 'commander';

import type { ProjectPingKey } from '../../client';
import type { Context } from '../context';
import { ExitCode } from '../exit-codes';
import type { Run } from '../run';
import { fields, plain } from '../terminal/table';
import { instantText } from '../terminal/times';
import { addYes, confirmed, placeName } from './ask';

interface SetFlags {
  name?: string;
  allowCreate?: boolean;
}

/** The URL to which the jobs of all monitors of a project ping. */
export function addProjectPingCommands(program: Command, run: Run): void {
  const key = program
    .command('ping-key')
    .description('The URL of the project, to which the jobs of all its monitors may ping.');

  key
    .command('show')
    .description('Show the URL. It is a secret.')
    .addHelpText('after', '\nExamples:\n  quarterjack ping-key show')
    .action(
      run(async (context: Context) => {
        const shown = await context.client().pingKey.get();
        context.print(shown, () => keyText(shown));
      }),
    );
  key
    .command('set')
    .description('Give the project a URL for pings, or change what it allows.')
    .option('--name <name>', 'what monitors that it makes say of who made them')
    .option('--allow-create', 'a ping with --create may make a monitor; without this flag, none does')
    .addHelpText('after', '\nExamples:\n  quarterjack ping-key set --allow-create --name servers')
    .action(
      run(async (context: Context, { name, allowCreate = false }: SetFlags) => {
        const set = await context.client().pingKey.set({ name, allowCreate });
        context.print(set, () => keyText(set));
      }),
    );
  key
    .command('rotate')
    .description('Give the project another URL. The one before works for another day.')
    .option('--now', 'the URL before ends at once')
    .addHelpText('after', '\nExamples:\n  quarterjack ping-key rotate --now')
    .action(
      run(async (context: Context, { now }: { now?: true }) => {
        const next = await context.client().pingKey.rotate({ now: now === true });
        context.print(next, () => keyText(next));
      }),
    );
  addYes(key.command('delete'))
    .description('End the URL at once. The monitors keep their own.')
    .addHelpText('after', '\nExamples:\n  quarterjack ping-key delete --yes')
    .action(
      run(async (context: Context, { yes }: { yes?: true }) => {
        const what = `the URL for pings of ${placeName(context)}`;
        if (!(await confirmed(context, `End ${what}?`, yes))) return ExitCode.failed;
        await context.client().pingKey.remove();
        context.print({ deleted: true }, () => 'The URL has ended.\n');
        return ExitCode.ok;
      }),
    );
}

const keyText = ({ url, name, allowCreate, version, earlierUntil }: ProjectPingKey): string =>
  fields([
    ['url', plain(`${url}/JOB`)],
    ['name', plain(name)],
    ['may make monitors', allowCreate ? 'yes' : 'no'],
    ['version', String(version)],
    ...(earlierUntil === undefined
      ? []
      : [['the one before', `until ${instantText(earlierUntil)}`] as const]),
  ]);
