import type { Command } from 'commander';

import { type ApiVersion, Quarterjack } from '../../client';
import type { Context } from '../context';
import { ExitCode } from '../exit-codes';
import type { Run } from '../run';
import { askVersion, misfitOf } from '../server-version';
import { fields, plain } from '../terminal/table';
import { version } from '../version';

export function addVersionCommand(program: Command, run: Run): void {
  program
    .command('version')
    .description('Show the versions of this command line and of the server. Needs no token.')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack version\n  quarterjack version --json | jq -r .server.version',
    )
    .action(run(showVersions));
}

async function showVersions(context: Context): Promise<ExitCode> {
  const own = version();
  const place = context.place();
  const show = (server: ApiVersion | null, text: string) =>
    context.print({ client: { version: own }, server }, () =>
      fields([
        ['command line', own],
        ['server', text],
      ]),
    );
  if (!place) {
    show(null, 'none: run quarterjack login, or set --url');
    return ExitCode.ok;
  }
  const server = await askVersion(new Quarterjack(place)).catch((error: unknown) => {
    show(null, 'unknown');
    throw error;
  });
  show(server, server === null ? 'unknown' : `${plain(server.version)} (API ${plain(server.api)})`);
  const misfit = misfitOf(server, own);
  if (misfit === undefined) return ExitCode.ok;
  context.say(misfit);
  return ExitCode.failed;
}
