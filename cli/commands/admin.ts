import type { Command } from 'commander';

import type { DeploymentStatus } from '../../client';
import type { Context } from '../context';
import { ExitCode } from '../exit-codes';
import { addNote, numberOf } from '../flag-values';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { fields, plain, texts } from '../terminal/table';
import { bothTimes, timeText, zoneOfUser } from '../terminal/times';
import { addYes, confirmed } from './ask';

export function addAdminCommands(program: Command, run: Run): void {
  const admin = program
    .command('admin')
    .description('Operate the deployment. The token needs the scope admin.');

  admin
    .command('status')
    .description('Show whether the deployment runs, its lag, its dashboard, its queues and the last stops.')
    .addHelpText('after', '\nExamples:\n  quarterjack admin status')
    .action(
      run(async (context: Context) => {
        const status = await context.client().admin.status();
        context.print(status, () => statusText(status, context));
      }),
    );

  addYes(addNote(admin.command('stop')))
    .description('Enter maintenance mode: no new execution starts, for any user.')
    .option('--reason <text>', 'why, for the list of stops')
    .addHelpText('after', '\nExamples:\n  quarterjack admin stop --reason "table restore"')
    .action(
      run(async (context: Context, { reason, yes }: { reason?: string; yes?: boolean }) => {
        const { host } = new URL(context.connection().url);
        if (!(await confirmed(context, `Stop the deployment ${host} for all its projects?`, yes)))
          return ExitCode.failed;
        const status = await context.client().admin.stop(reason === undefined ? {} : { reason });
        context.print(status, () => statusText(status, context));
        return ExitCode.ok;
      }),
    );

  addNote(admin.command('start'))
    .description('Leave maintenance mode.')
    .addHelpText('after', '\nExamples:\n  quarterjack admin start')
    .action(
      run(async (context: Context) => {
        const status = await context.client().admin.start();
        context.print(status, () => statusText(status, context));
      }),
    );

  addNote(admin.command('redrive <queue>'))
    .description('Move dead letters back to their queue.')
    .option('--max <n>', 'move at most this many', '100')
    .addHelpText('after', '\nExamples:\n  quarterjack admin redrive default/medium --max 1000')
    .action(
      run(async (context: Context, { max }: { max: string }, queue: string) => {
        const moved = await context.client().admin.redrive(queue, numberOf('--max', max));
        context.print({ queue, moved }, () => `${moved} moved to ${plain(queue)}\n`);
      }),
    );
}

function statusText(status: DeploymentStatus, context: Context): string {
  const { style, io, table } = context;
  const zone = zoneOfUser(io.env);
  const { state, stoppedAt, stoppedBy, tick, shards, scan, sweep } = status;
  const head = fields([
    ['state', state === 'running' ? style.good(state) : style.bad(state)],
    [
      'stopped',
      stoppedAt === null ? undefined : `${bothTimes(stoppedAt, zone)} by ${plain(stoppedBy ?? '')}`,
    ],
    ['tick', tick],
    ['shards', String(shards)],
    ['scan lag', secondsText(scan.lagSec)],
    ['sweep lag', secondsText(sweep.lagSec)],
    ['dashboard', plain(new URL(status.dashboardUrl, context.connection().url).href)],
  ]);
  const queues = status.queues.map(({ name, waiting, inFlight, oldestSec, dead }) => [
    singleLine(name),
    String(waiting),
    String(inFlight),
    secondsText(oldestSec),
    dead > 0 ? style.bad(String(dead)) : '0',
  ]);
  const stops = status.stops.map((stop) => [
    timeText(stop.stoppedAt, zone),
    stop.startedAt === null ? '' : timeText(stop.startedAt, zone),
    singleLine(stop.by),
    singleLine(stop.reason ?? ''),
  ]);
  const parts = [head, table(['QUEUE', 'WAITING', 'IN FLIGHT', 'OLDEST', 'DEAD'], queues)];
  if (stops.length > 0) parts.push(table(['STOPPED', 'STARTED', texts('BY'), texts('REASON')], stops));
  return parts.join('\n\n');
}

const secondsText = (sec: number | null): string => (sec === null ? 'unknown' : `${sec} s`);
