import type { Command } from 'commander';

import type { Context } from '../context';
import { ExitCode } from '../exit-codes';
import { PING_VARIABLE, pingUrl, type UrlFlags } from '../ping/ping-url';
import { pingOnce, runPinged } from '../ping/run-pinged';
import type { Run } from '../run';

export function addPingCommand(program: Command, run: Run): void {
  program
    .command('ping [url] [command...]')
    .description('Say that the job of a monitor has run, or run it and say how it ended.')
    .option('--key-file <file>', 'a file with the ping URL')
    .option('--slug <jobId>', 'the monitor, if the URL is that of a project')
    .option('--create', 'make the monitor if there is none, where the key of the project allows it')
    .addHelpText(
      'after',
      `
The ping URL is a secret. It comes from ${PING_VARIABLE}, or from the file. As an
argument, all users of the machine see it.

With a command, the monitor hears of its start, its end, its exit code and the last 10 kB that it wrote. The
command runs whatever becomes of the pings, and its exit code is that of quarterjack.

Examples:
  ${PING_VARIABLE}=https://api.example.com/p/qjp_… quarterjack ping -- ./backup.sh
  quarterjack ping --key-file /etc/backup.ping -- ./backup.sh --full
  ${PING_VARIABLE}=https://api.example.com/s/qjs_… quarterjack ping --slug backup --create -- ./backup.sh`,
    )
    .action(run(ping));
}

async function ping(
  context: Context,
  flags: UrlFlags,
  first: string | undefined,
  rest: string[],
): Promise<ExitCode> {
  const { io } = context;
  const isUrl = first !== undefined && /^https?:\/\//.test(first);
  const to = pingUrl(isUrl ? first : undefined, flags, io);
  const command = [...(isUrl || first === undefined ? [] : [first]), ...rest];
  if (command.length > 0) return (await runPinged(to, command, io)) as ExitCode; // that of the command
  return (await pingOnce(to, io)) ? ExitCode.ok : ExitCode.failed;
}
