import type { Command } from 'commander';

import type { Job, JobDefinition, JobStatus } from '../../client';
import type { Context } from '../context';
import { addDefinitionFlags, definitionFromFlags, type DefinitionFlags, jsonOf } from '../definition-flags';
import { CliError, ExitCode } from '../exit-codes';
import type { Run } from '../run';
import { readDefinition } from '../read-definition';
import { describeSchedule } from '../schedule-text';
import { statusText } from '../terminal/style';
import { plain, table } from '../terminal/table';
import { parseDurationMs, relative } from '../terminal/times';
import { addBulkCommand } from './bulk';
import { editJob } from './edit-job';
import { executionText } from './execution-text';
import { jobText } from './job-text';

interface ListFlags {
  status?: JobStatus;
  tag?: string[];
  prefix?: string;
  limit: string;
}

interface RunFlags {
  payload?: string;
  wait?: boolean;
  timeout: string;
}

const collect = (value: string, all: string[] = []) => [...all, value];

export function addJobCommands(program: Command, run: Run): void {
  const jobs = program.command('jobs').description('Make, show and change jobs.');

  addDefinitionFlags(jobs.command('create [jobId]').description('Make a job.'))
    .option('--file <path>', 'a definition in JSON or YAML; - for stdin. Flags go over it')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack jobs create close-42 --schedule 'in 30m' --http https://shop.example/orders/42/close
  quarterjack jobs create report --schedule '30 9 * * MON-FRI' --timezone Europe/Berlin \\
      --http https://example.com/report --payload '{"kind":"daily"}' --tag team=billing
  quarterjack jobs create --file job.yaml`,
    )
    .action(run(createJob));

  jobs
    .command('get <jobId>')
    .description('Show a job.')
    .action(
      run(async (context: Context, _flags: object, jobId: string) => {
        const job = await context.client().jobs.get(jobId);
        context.print(job, () => jobText(job, context));
      }),
    );

  jobs
    .command('list')
    .description('List jobs by id.')
    .option('--status <status>', 'active, paused or completed')
    .option('--tag <key:value>', 'that have this tag; repeatable', collect)
    .option('--prefix <text>', 'whose id or name begins so')
    .option('--limit <n>', 'at most so many', '100')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack jobs list --tag team:billing --status active
  quarterjack jobs list --json --limit 10000 | jq -r '.[].jobId'`,
    )
    .action(run(listJobs));

  addDefinitionFlags(
    jobs.command('edit <jobId>').description('Change a job: by flags, or else in your editor.'),
  )
    .addHelpText(
      'after',
      `
Without flags the definition opens in $VISUAL or $EDITOR, and is refused if the job changes meanwhile.

Examples:
  quarterjack jobs edit report --schedule '0 8 * * MON-FRI' --priority high
  EDITOR=nano quarterjack jobs edit report`,
    )
    .action(
      run((context: Context, flags: DefinitionFlags, jobId: string) =>
        editJob(context, jobId, definitionFromFlags(flags)),
      ),
    );

  addBulkCommand(jobs, run, {
    name: 'pause',
    description: 'Pause jobs: they do not fire until they are resumed.',
    done: 'paused',
    act: (client, jobId) => client.jobs.pause(jobId),
  });
  addBulkCommand(jobs, run, {
    name: 'resume',
    description: 'Resume paused jobs.',
    done: 'resumed',
    act: (client, jobId) => client.jobs.resume(jobId),
  });
  addBulkCommand(jobs, run, {
    name: 'delete',
    description: 'Delete jobs; their history stays readable until its retention ends.',
    done: 'deleted',
    asks: true,
    act: (client, jobId) => client.jobs.delete(jobId),
  });

  jobs
    .command('run <jobId>')
    .description('Run a job once, now; its schedule stays as it is.')
    .option('--payload <json>', 'in place of the job’s own')
    .option('--wait', 'until it has ended; exit code 8 unless it succeeded')
    .option('--timeout <duration>', 'of the waiting', '15m')
    .addHelpText('after', '\nExamples:\n  quarterjack jobs run report --payload \'{"kind":"test"}\' --wait')
    .action(run(runJob));
}

async function createJob(
  context: Context,
  { file, ...flags }: DefinitionFlags & { file?: string },
  jobId: string | undefined,
): Promise<void> {
  const fromFile = file === undefined ? {} : await readDefinition(file, context.io);
  const definition = { ...fromFile, ...definitionFromFlags(flags), ...(jobId ? { jobId } : {}) };
  if (!('schedule' in definition)) throw new CliError('--schedule is missing: when shall it run?');
  if (!('target' in definition) && !('targets' in definition))
    throw new CliError('--http is missing: what shall it call? (other targets: --file)');
  const job = await context.client().jobs.create(definition as unknown as JobDefinition);
  context.print(job, () => `Created ${job.jobId}.\n\n${jobText(job, context)}`);
}

async function listJobs(context: Context, { status, tag, prefix, limit }: ListFlags): Promise<void> {
  if (!/^\d{1,7}$/.test(limit)) throw new CliError(`--limit is ${JSON.stringify(limit)}; expected a number`);
  const max = Number(limit);
  const filter = { status, tag, q: prefix, limit: Math.max(1, Math.min(100, max + 1)) };
  // One more than is shown says whether there are more.
  const found = await context
    .client()
    .jobs.list(filter)
    .toArray(max + 1);
  const shown = found.slice(0, max);
  context.print(shown, () => (shown.length === 0 ? 'No jobs.\n' : jobTable(shown, context)));
  if (found.length > max) context.say(`More than ${max}: raise --limit, or narrow the list.`);
}

const jobTable = (jobs: readonly Job[], { style, io }: Context): string =>
  table(
    ['JOB', 'STATUS', 'NEXT', 'SCHEDULE', 'NAME'],
    jobs.map(({ jobId, status, nextFireAt, schedule, name }) => [
      jobId,
      statusText(status, style),
      nextFireAt ? relative(nextFireAt, io.nowMs()) : style.dim('–'),
      plain(describeSchedule(schedule), 40),
      plain(name ?? '', 40),
    ]),
  );

async function runJob(
  context: Context,
  { payload, wait, timeout }: RunFlags,
  jobId: string,
): Promise<ExitCode | void> {
  const timeoutMs = parseDurationMs(timeout);
  if (timeoutMs === undefined)
    throw new CliError(`--timeout is ${JSON.stringify(timeout)}; expected like "15m"`);
  const client = context.client();
  const body = payload === undefined ? {} : { payload: jsonOf('--payload', payload) };
  const started = await client.jobs.run(jobId, body);
  if (!wait) {
    context.print(started, () => `Running ${jobId} as ${started.execId}.\n`);
    return;
  }
  context.say(`Running ${jobId} as ${started.execId} …`);
  const ended = await client.executions.wait(jobId, started.execId, { timeoutMs });
  context.print(ended, () => executionText(ended, context));
  return ended.status === 'succeeded' ? ExitCode.ok : ExitCode.notSucceeded;
}
