import { resolve } from 'node:path';

import type { Command } from 'commander';

import type { Context } from '../context';
import { CliError, type ExitCode } from '../exit-codes';
import { variablesIn } from '../jobs-in-code/dev/environment';
import { SERVE_COMMAND } from '../jobs-in-code/dev/messages';
import { runDev } from '../jobs-in-code/dev/run-dev';
import { serveJobs } from '../jobs-in-code/dev/serve-jobs';
import { moduleAt } from '../jobs-in-code/read-jobs';
import { type Reader, readerOf } from '../jobs-in-code/reading';
import type { Run } from '../run';
import { comesFirst } from './local-run';

interface DevFlags {
  port?: string;
  data?: string;
  source: string;
  envFile?: string;
  schedules: boolean;
  open?: boolean;
}

export function addDevCommand(program: Command, run: Run): void {
  program
    .command('dev [module] [flags...]')
    .description('Run Quarterjack on this machine: the API, the console, and jobs that fire.')
    .option('--port <n>', 'port of the API on 127.0.0.1; 0 for any free port (default 8787)')
    .option('--data <dir>', 'keep the data in this folder (with a module, nothing is kept without it)')
    .option('--source <name>', 'the program that owns the jobs', 'dev')
    .option('--env-file <file>', 'variables for the module from lines NAME=value; none is read by default')
    .option('--no-schedules', 'register all jobs paused: users and programs alone start them')
    .option('--open', 'open the console in a browser')
    .addHelpText(
      'after',
      `
With a module of jobs, they are registered, served, and swapped whenever one of its files changes. Flags after --
are those of the run itself, which has its own help without a module: quarterjack dev --help

Examples:
  quarterjack dev --open
  quarterjack dev --to http://localhost:3000
  quarterjack dev src/jobs.ts
  quarterjack dev src/jobs.ts --env-file dev.env --no-schedules --data .quarterjack/jobs
  quarterjack dev src/jobs.ts -- --executors 4`,
    )
    .action(run(dev));
  program
    .command(`${SERVE_COMMAND} <module> <reader>`, { hidden: true })
    .description('Serves the jobs of a module. The command dev starts it.')
    .action(
      run((_context: Context, _flags: object, path: string, reader: Reader) => serveJobs(path, reader)),
    );
}

async function dev(
  context: Context,
  flags: DevFlags,
  module: string | undefined,
  more: string[],
): Promise<ExitCode> {
  if (module === undefined) throw comesFirst('dev');
  if (process.platform === 'win32')
    throw new CliError('quarterjack dev with a module needs Linux or macOS; WSL is Linux');
  const { port, data, source, schedules, open } = flags;
  const path = moduleAt(module, context.io.cwd());
  readerOf(path);
  const envFile = flags.envFile === undefined ? undefined : resolve(context.io.cwd(), flags.envFile);
  variablesIn(envFile);
  const dataDir = data === undefined ? undefined : resolve(context.io.cwd(), data);
  const runFlags = [...(port === undefined ? [] : ['--port', port]), ...(open ? ['--open'] : []), ...more];
  return runDev(context, { module, path, source, isPaused: !schedules, envFile, dataDir, runFlags });
}
