import { basename } from 'node:path';

import type { Command } from 'commander';

import type { Context } from '../context';
import { CliError, type ExitCode } from '../exit-codes';
import { foreignFile } from '../foreign-file';
import { importFromCrontabs } from '../import/crontab/translate';
import { readCrontab } from '../import/crontab/read-crontab';
import { type NamedCrontab, readMachine } from '../import/crontab/read-machine';
import { schedulesIn } from '../import/eventbridge/read-file';
import { readSchedules } from '../import/eventbridge/read-schedules';
import { type AwsSchedule, importFromAws } from '../import/eventbridge/translate';
import { readStdin } from '../io';
import { substituted, withoutValues } from '../import/step-functions/placeholders';
import { importFromStepFunctions } from '../import/step-functions/translate';
import { parseDefinition, readText } from '../read-definition';
import type { Run } from '../run';
import { progressOf } from '../terminal/progress';
import {
  checkQueue,
  checkTimezone,
  commonOptions,
  finish,
  type ImportFlags,
  sayWorkCommand,
} from './finish-import';
import { addKubernetes } from './import-kubernetes';

interface EventBridgeFlags extends ImportFlags {
  region?: string;
  group?: string;
  namePrefix?: string;
}

interface CrontabFlags extends ImportFlags {
  system?: boolean;
  timezone?: string;
  urlTemplate?: string;
  queue?: string;
  /** True, or the directory that is the root of the machine's files. */
  machine?: true | string;
}

export function addImportCommands(program: Command, run: Run): void {
  const imports = program
    .command('import')
    .description(
      'Import schedules from elsewhere. Shows them; --apply creates the jobs, --out writes a file.',
    );

  commonOptions(imports.command('eventbridge [file]'))
    .description(
      'Import the schedules of an AWS account and region from EventBridge Scheduler, or of a file.',
    )
    .option('--region <region>', 'AWS region (default: as configured for the AWS SDK)')
    .option('--group <name>', 'only schedules of this group')
    .option('--name-prefix <text>', 'only schedules whose name starts with this text')
    .addHelpText(
      'after',
      `
Without a file, it reads with your AWS credentials (scheduler:ListSchedules, scheduler:GetSchedule). A file has what
get-schedule prints: one schedule, a list, or Schedules (- for stdin). Nothing changes in AWS.
Disable the schedules there before you apply, or both will fire.

Examples:
  quarterjack import eventbridge --region eu-central-1
  quarterjack import eventbridge --out jobs.yaml && quarterjack plan jobs.yaml
  quarterjack import eventbridge --group billing --apply
  aws scheduler get-schedule --name report | quarterjack import eventbridge -`,
    )
    .action(run(importEventBridge));

  commonOptions(imports.command('crontab [file]'))
    .description('Import the lines of a crontab (- for stdin), or of all crontabs of this machine.')
    .option('--queue <name>', 'commands become jobs of this work queue, and MAILTO a notification')
    .option(
      '--machine [directory]',
      'all crontabs: /etc/crontab, /etc/cron.d and those of users; of a machine whose files are in the directory',
    )
    .option('--system', 'each line names a user, as in /etc/crontab and /etc/cron.d')
    .option(
      '--timezone <zone>',
      'time zone of the machine that the crontab is from (default: this machine’s)',
    )
    .option('--url-template <url>', 'URL of a service that runs commands; {jobId} and {user} are replaced')
    .addHelpText(
      'after',
      `
A line that calls curl or wget for one URL becomes a job that calls that URL. With --queue, any other command becomes a
job for quarterjack work --exec-payload, and the import prints how to start that. Or a service runs the commands: their
jobs send { command, stdin, user, env } to --url-template.

Examples:
  sudo -E quarterjack import crontab --machine --queue host-1
  crontab -l | quarterjack import crontab - --timezone Europe/Berlin
  quarterjack import crontab /etc/crontab --system --url-template 'https://ops.example.com/run/{jobId}' --out jobs.yaml`,
    )
    .action(run(importCrontab));
  addStepFunctions(imports, run);
  addKubernetes(imports, run);
}

function addStepFunctions(imports: Command, run: Run): void {
  commonOptions(imports.command('step-functions <file>'))
    .description('Import a state machine from its definition in the Amazon States Language (- for stdin).')
    .option('--job-id <id>', 'id of the job (default: the name of the file)')
    .option(
      '--substitute <name=value>',
      'value of a placeholder ${name} of SAM or the CDK; may be repeated',
      (given: string, all?: string[]) => [...(all ?? []), given],
    )
    .option('--arn <arn>', 'ARN of the machine: its region and account complete names, as that of a Glue job')
    .option('--partial', 'import what can be translated, as a paused job')
    .addHelpText(
      'after',
      `
A state becomes a task. A machine is imported as a whole, or not at all: what has no counterpart is named with its
state. With --partial, such a state becomes a task that does nothing, or the nearest that there is, and the job is
paused. To keep \${name} as a text, substitute it by itself.

Examples:
  quarterjack import step-functions billing.asl.json --out jobs.yaml
  quarterjack import step-functions sam/billing.asl.json --substitute 'ChargeArn=arn:aws:lambda:…' --partial
  aws stepfunctions describe-state-machine --state-machine-arn ARN --query definition --output text |
    quarterjack import step-functions - --job-id billing`,
    )
    .action(run(importStepFunctions));
}

async function importEventBridge(
  context: Context,
  flags: EventBridgeFlags,
  path?: string,
): Promise<ExitCode> {
  const schedules =
    path === undefined ? await readAccount(context, flags) : await readFile(context, flags, path);
  return finish(context, importFromAws(schedules, context.io.nowMs()), flags);
}

async function readAccount(context: Context, flags: EventBridgeFlags): Promise<AwsSchedule[]> {
  let progress = progressOf(context.io, 'read', 0);
  try {
    return await readSchedules(flags, {
      found: (count) => (progress = progressOf(context.io, 'read', count)).step,
    });
  } finally {
    progress.clear();
  }
}

async function readFile(
  { io }: Context,
  { region, group, namePrefix }: EventBridgeFlags,
  path: string,
): Promise<AwsSchedule[]> {
  if ([region, group, namePrefix].some((flag) => flag !== undefined))
    throw new CliError(
      '--region, --group and --name-prefix choose schedules of an account: leave the file out',
    );
  return path === '-' ? schedulesIn(await readStdin(io), 'stdin') : schedulesIn(readText(path), path);
}

async function importStepFunctions(
  context: Context,
  flags: ImportFlags & { jobId?: string; substitute?: string[]; partial?: boolean; arn?: string },
  path: string,
): Promise<ExitCode> {
  const given = path === '-' ? await readStdin(context.io) : readText(path);
  const source = path === '-' ? 'stdin' : basename(path);
  const jobId = flags.jobId ?? source.replace(/(\.asl)?\.(json|ya?ml)$/, '');
  const { text, missing } = substituted(given, flags.substitute ?? []);
  const found =
    missing.length > 0
      ? withoutValues(source, missing)
      : importFromStepFunctions(parseDefinition(text, source, 'step-functions'), source, jobId, flags);
  return finish(context, found, flags);
}

async function importCrontab(
  context: Context,
  flags: CrontabFlags,
  path: string | undefined,
): Promise<ExitCode> {
  const { urlTemplate, queue } = flags;
  if (queue !== undefined && urlTemplate !== undefined)
    throw new CliError('use either --queue or --url-template, not both');
  if (queue !== undefined) checkQueue(queue);
  if (flags.timezone !== undefined) checkTimezone(flags.timezone);
  const timezone = flags.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!flags.timezone)
    context.say(`Times are in ${timezone}, this machine's time zone; use --timezone for another.`);
  const crontabs = await crontabsOf(context, flags, path);
  const found = importFromCrontabs(crontabs, { timezone, urlTemplate, queue });
  return finish(context, found, flags, (checked) => {
    if (queue !== undefined) sayWorkCommand(context, checked, queue);
  });
}

/** All crontabs of this machine, or one. */
async function crontabsOf(
  { io }: Context,
  { machine, system }: CrontabFlags,
  path: string | undefined,
): Promise<NamedCrontab[]> {
  if (machine === undefined) {
    if (path === undefined) throw new CliError('give the file of a crontab, - for stdin, or --machine');
    const text = path === '-' ? await readStdin(io) : readText(path);
    const name = path === '-' ? 'stdin' : path;
    const foreign = foreignFile(text, name, 'crontab');
    if (foreign !== undefined) throw new CliError(foreign);
    return [{ path: name, crontab: readCrontab(text, { system: system === true }) }];
  }
  if (path !== undefined || system) throw new CliError('--machine reads all crontabs: leave the file out');
  return readMachine(machine === true ? '/' : machine);
}
