import type { Command } from 'commander';

import { ConflictError, type JobDefinition, ValidationError } from '../../client';
import type { Context } from '../context';
import { addDefinitionFlags, definitionFromFlags, type DefinitionFlags } from '../definition-flags';
import { CliError, ExitCode } from '../exit-codes';
import { addNote } from '../flag-values';
import type { Run } from '../run';
import { partsOf, type Positions } from '../positions';
import { readPlaced } from '../read-definition';
import { TARGET_FLAGS } from '../target-flags';
import { scheduleOf } from '../schedule-text';
import { dryRun } from '../schedules-as-code/dry-run';
import { FileError, problemText } from '../schedules-as-code/jobs-file';
import { warnOfUnknownHosts } from '../unknown-hosts';
import { addBulkCommand } from './bulk';
import { addChangeCommands } from './changes';
import { editJob } from './edit-job';
import { addJobStats } from './job-stats';
import { addListJobs } from './list-jobs';
import { jobText } from './job-text';
import { addPingKeyCommands } from './ping-keys';
import { addPatchJobs } from './patch-jobs';
import { addCancelRun } from './cancel-run';
import { addRun } from './run-jobs';

export function addJobCommands(program: Command, run: Run): void {
  const jobs = program.command('jobs').description('Create, show and change jobs.');
  addCreate(jobs, run);
  addGet(jobs, run);
  addListJobs(jobs, run);
  addJobStats(jobs, run);
  addPingKeyCommands(jobs, run);
  addEdit(jobs, run);
  addPatchJobs(jobs, run);
  addBulkCommands(jobs, run);
  addRun(jobs, run);
  addCancelRun(jobs, run);
  addChangeCommands(jobs, run);
}

function addCreate(jobs: Command, run: Run): void {
  addDefinitionFlags(addNote(jobs.command('create [jobId]')).description('Create a job.'))
    .option('--file <path>', 'a definition in JSON or YAML, - for stdin; flags override its fields')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack jobs create close-42 --schedule 'in 30m' --http https://shop.example/orders/42/close
  quarterjack jobs create report --schedule '30 9 * * MON-FRI' --timezone Europe/Berlin \\
      --http https://example.com/report --payload '{"kind":"daily"}' --tag team=billing
  quarterjack jobs create encode --schedule none --queue video --payload @job.json
  quarterjack jobs create --file job.yaml`,
    )
    .action(run(createJob));
}

function addGet(jobs: Command, run: Run): void {
  jobs
    .command('get <jobId>')
    .description('Show a job.')
    .addHelpText('after', '\nExamples:\n  quarterjack jobs get report')
    .action(
      run(async (context: Context, _flags: object, jobId: string) => {
        const job = await context.client().jobs.get(jobId);
        context.print(job, () => jobText(job, context));
      }),
    );
}

function addEdit(jobs: Command, run: Run): void {
  addDefinitionFlags(
    addNote(jobs.command('edit <jobId>')).description('Change a job: with flags, or in your editor.'),
  )
    .addHelpText(
      'after',
      `
Without flags, the definition opens in $VISUAL or $EDITOR. The edit is rejected if the job has changed meanwhile.
--schedule keeps the time zone, exclusions and bounds of a schedule of the same type. A schedule of another type
replaces the old one, and the command says what was dropped. In JSON, null removes a field.

Examples:
  quarterjack jobs edit report --schedule '0 8 * * MON-FRI' --priority high
  quarterjack jobs edit report --schedule '{"type":"cron","endAt":null}'
  EDITOR=nano quarterjack jobs edit report`,
    )
    .action(
      run((context: Context, flags: DefinitionFlags, jobId: string) =>
        editJob(context, jobId, definitionFromFlags(flags)),
      ),
    );
}

function addBulkCommands(jobs: Command, run: Run): void {
  addBulkCommand(jobs, run, {
    name: 'pause',
    description: 'Pause jobs: they do not fire until they are resumed.',
    done: 'paused',
    hasUntil: true,
    act: (client, jobId, until) => client.jobs.pause(jobId, { until }),
  });
  addBulkCommand(jobs, run, {
    name: 'resume',
    description: 'Resume paused jobs.',
    done: 'resumed',
    act: (client, jobId) => client.jobs.resume(jobId),
  });
  addBulkCommand(jobs, run, {
    name: 'delete',
    description: 'Delete jobs. Their history stays readable until its retention ends.',
    done: 'deleted',
    asks: true,
    act: (client, jobId) => client.jobs.delete(jobId),
  });
}

async function createJob(
  context: Context,
  { file, ...flags }: DefinitionFlags & { file?: string },
  jobId: string | undefined,
): Promise<void> {
  const placed = file === undefined ? undefined : await readPlaced(file, context.io);
  const read = placed?.value ?? {};
  // Schedules are texts as in a file of several jobs: `schedule: none`, `schedule: every 5m`.
  const fromFile =
    typeof read.schedule === 'string' ? { ...read, schedule: scheduleOf(read.schedule) } : read;
  const definition = { ...fromFile, ...definitionFromFlags(flags), ...(jobId ? { jobId } : {}) };
  if (!('schedule' in definition)) throw new CliError('--schedule is missing: say when the job runs');
  if (!['target', 'targets', 'workflow'].some((field) => field in definition))
    throw new CliError(
      `the target is missing: give ${TARGET_FLAGS.join(', ')}, or a --file with target, targets or workflow`,
    );
  const { jobs } = context.client();
  const job = await jobs.create(definition as unknown as JobDefinition).catch(async (error: unknown) => {
    if (error instanceof ValidationError && placed)
      throw await placedError(context, definition, placed.positions);
    if (!(error instanceof ConflictError) || !jobId) throw error;
    const { status } = await jobs.get(jobId);
    const advice = status === 'completed' ? 'delete it first' : 'change it with jobs edit';
    throw new CliError(
      `${error.message}, by a job that is ${status}: ${advice}, or choose another id`,
      ExitCode.conflict,
      {
        cause: error,
      },
    );
  });
  context.print(job, () => `Created ${job.jobId}.\n\n${jobText(job, context)}`);
  await warnOfUnknownHosts(context, job);
}

/** All that the API rejects of a definition, each with its line in the file. */
async function placedError(
  context: Context,
  definition: Record<string, unknown>,
  positions: Positions,
): Promise<FileError> {
  const { jobId = '' } = definition as { jobId?: string };
  const { jobs } = await dryRun(context.client(), [{ jobId, definition }]);
  const where = (field = '') => positions.of(partsOf(field));
  const problems = jobs.flatMap((one) => one.problems);
  return new FileError(problems.map((problem) => problemText(problem, { jobId, where })));
}
