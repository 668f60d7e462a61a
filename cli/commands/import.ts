import { writeFileSync } from 'node:fs';

import type { Command } from 'commander';

import { type Schedule, ValidationError } from '../../client';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { importFromCrontab } from '../import/crontab/translate';
import { readCrontab } from '../import/crontab/read-crontab';
import { readSchedules } from '../import/eventbridge/read-schedules';
import { importFromAws } from '../import/eventbridge/translate';
import type { Import } from '../import/imported';
import { importFile, importJson, importText } from '../import/report';
import { readStdin } from '../io';
import { readText } from '../read-definition';
import type { Run } from '../run';
import type { FileJob } from '../schedules-as-code/jobs-file';
import { progressOf } from '../terminal/progress';
import { planAndApply } from './apply';
import { inParallel } from './in-parallel';

interface ImportFlags {
  out?: string;
  apply?: boolean;
  yes?: boolean;
}

interface EventBridgeFlags extends ImportFlags {
  region?: string;
  group?: string;
  namePrefix?: string;
}

interface CrontabFlags extends ImportFlags {
  system?: boolean;
  timezone?: string;
  urlTemplate?: string;
}

export function addImportCommands(program: Command, run: Run): void {
  const imports = program
    .command('import')
    .description(
      'Bring schedules from elsewhere: shown first, made with --apply or written for plan and apply.',
    );

  commonOptions(imports.command('eventbridge'))
    .description('Bring the schedules of an account and region from EventBridge Scheduler.')
    .option('--region <region>', 'else as the AWS SDK finds it')
    .option('--group <name>', 'of one schedule group')
    .option('--name-prefix <text>', 'whose names begin so')
    .addHelpText(
      'after',
      `
Reads with your AWS credentials (scheduler:ListSchedules, scheduler:GetSchedule), and changes nothing in AWS: turn the
schedules off there before you apply, or both will fire.

Examples:
  quarterjack import eventbridge --region eu-central-1
  quarterjack import eventbridge --out jobs.yaml && quarterjack plan jobs.yaml
  quarterjack import eventbridge --group billing --apply`,
    )
    .action(run(importEventBridge));

  commonOptions(imports.command('crontab <file>'))
    .description('Bring the lines of a crontab (- for stdin).')
    .option('--system', 'lines name a user, as in /etc/crontab and /etc/cron.d')
    .option('--timezone <zone>', 'of the machine that it is from; this machine’s without it')
    .option('--url-template <url>', 'of what runs commands; {jobId} and {user} are filled in')
    .addHelpText(
      'after',
      `
A line that calls curl or wget for one URL becomes a job that calls that URL. Any other command needs something that runs
it: it is sent there as { command, stdin, user, env }.

Examples:
  crontab -l | quarterjack import crontab - --timezone Europe/Berlin
  quarterjack import crontab /etc/crontab --system --url-template 'https://ops.example.com/run/{jobId}' --out jobs.yaml`,
    )
    .action(run(importCrontab));
}

const commonOptions = (command: Command): Command =>
  command
    .option('--out <file>', 'write what is found, for quarterjack plan and apply')
    .option('--apply', 'make the jobs')
    .option('--yes', 'do not ask');

async function importEventBridge(context: Context, flags: EventBridgeFlags): Promise<ExitCode> {
  let progress = progressOf(context.io, 'read', 0);
  try {
    const schedules = await readSchedules(flags, {
      found: (count) => (progress = progressOf(context.io, 'read', count)).step,
    });
    progress.clear();
    return await finish(context, importFromAws(schedules, context.io.nowMs()), flags);
  } finally {
    progress.clear();
  }
}

async function importCrontab(context: Context, flags: CrontabFlags, path: string): Promise<ExitCode> {
  const text = path === '-' ? await readStdin(context.io) : readText(path);
  const timezone = flags.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!flags.timezone)
    context.say(`Times are taken to be of ${timezone}, this machine's zone; --timezone names another.`);
  const crontab = readCrontab(text, { system: flags.system === true });
  const { urlTemplate } = flags;
  const found = importFromCrontab(crontab, { path: path === '-' ? 'stdin' : path, timezone, urlTemplate });
  return finish(context, found, flags);
}

/** Shows what was found; then writes it, or makes it. 1 where something has no counterpart. */
async function finish(context: Context, found: Import, { out, apply, yes }: ImportFlags): Promise<ExitCode> {
  if (out !== undefined && apply) throw new CliError('--out and --apply exclude each other');
  const sifted = apply ? await siftedByApi(context, found) : found;
  if (out !== undefined) writeFileSync(out, importFile(sifted));
  // With --apply, what is done is the answer.
  if (!(apply && context.json)) context.print(importJson(sifted), () => importText(sifted, context.style));
  if (out !== undefined) context.say(`Wrote ${sifted.jobs.length} jobs to ${out}.`);
  if (apply) {
    const code = await planAndApply(context, sifted.jobs.map(fileJobOf), { yes });
    if (code !== ExitCode.ok) return code;
  } else if (out === undefined && sifted.jobs.length > 0) {
    context.say('Nothing was made: --apply does it, --out FILE writes it for plan and apply.');
  }
  return sifted.refused.length > 0 ? ExitCode.failed : ExitCode.ok;
}

const fileJobOf = ({ jobId, paused, definition, source }: Import['jobs'][number]): FileJob => ({
  jobId,
  paused,
  definition,
  where: () => source,
});

/** A schedule that the API refuses is one without a counterpart; the others can still be made. */
async function siftedByApi(context: Context, { jobs, refused }: Import): Promise<Import> {
  const client = context.client();
  const problems = await inParallel(jobs, async ({ definition }) => {
    try {
      await client.preview(definition.schedule as Schedule, { count: 1 });
      return undefined;
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return error.errors.map(({ path, message }) => `${path}: ${message}`).join('; ') || error.detail;
    }
  });
  return {
    jobs: jobs.filter((_, index) => problems[index] === undefined),
    refused: [
      ...refused,
      ...jobs.flatMap(({ source }, index) => {
        const reason = problems[index];
        return reason === undefined ? [] : [{ source, reason }];
      }),
    ],
  };
}
