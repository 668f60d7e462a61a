import type { Command } from 'commander';

import type { PingKey } from '../../client';
import type { Context } from '../context';
import type { Run } from '../run';
import { fields, plain } from '../terminal/table';
import { instantText } from '../terminal/times';

export function addPingKeyCommands(jobs: Command, run: Run): void {
  jobs
    .command('ping <jobId>')
    .description('Show the URL to which the job of a monitor pings. It is a secret.')
    .addHelpText('after', '\nExamples:\n  quarterjack jobs ping backup')
    .action(
      run(async (context: Context, _: object, jobId: string) => {
        const key = await context.client().jobs.ping(jobId);
        context.print(key, () => keyText(key));
      }),
    );
  jobs
    .command('rotate-ping <jobId>')
    .description('Give a monitor another ping URL. The one before works for another day.')
    .option('--now', 'the URL before ends at once')
    .addHelpText('after', '\nExamples:\n  quarterjack jobs rotate-ping backup --now')
    .action(
      run(async (context: Context, { now }: { now?: true }, jobId: string) => {
        const key = await context.client().jobs.rotatePing(jobId, { now: now === true });
        context.print(key, () => keyText(key));
      }),
    );
}

const keyText = ({ url, slugUrl, badgeUrl, version, earlierUntil }: PingKey): string =>
  fields([
    ['url', plain(url)],
    ...(slugUrl === undefined ? [] : [['by the project', plain(slugUrl)] as const]),
    ['badge', plain(badgeUrl)],
    ['version', String(version)],
    ...(earlierUntil === undefined
      ? []
      : [['the one before', `until ${instantText(earlierUntil)}`] as const]),
  ]);
