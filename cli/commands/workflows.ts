import { existsSync } from 'node:fs';

import type { Command } from 'commander';

import type { Quarterjack, WorkflowCheck, WorkflowCheckRequest, WorkflowVersion } from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { collect } from '../flag-values';
import { inParallel } from '../in-parallel';
import { isObject } from '../is-object';
import { valuesOf } from '../named-values';
import type { Run } from '../run';
import { dryRun } from '../schedules-as-code/dry-run';
import { askedBeside, FileError, type FileJob, problemText } from '../schedules-as-code/jobs-file';
import { allFaults } from '../schedules-as-code/plan';
import { readJobFiles } from '../schedules-as-code/read-files';
import { awaitsPlanned } from '../schedules-as-code/upstream';
import { type VariableFlags, variablesOf } from '../schedules-as-code/variables';
import { timeZoneOf } from '../schedule-text';
import { singleLine } from '../terminal/printable';
import { texts } from '../terminal/table';
import { instantText } from '../terminal/times';
import { instantIn } from '../time-flags';
import { type DrawnTask, drawnTasks } from '../workflows/drawn-task';
import { drawingOf } from '../workflows/drawing';
import { mermaidOf } from '../workflows/mermaid';

interface FileFlags extends VariableFlags {
  job?: string;
}

interface CheckFlags extends FileFlags {
  param?: string[];
  output?: string[];
  at?: string;
}

interface GraphFlags extends FileFlags {
  mermaid?: boolean;
}

/** Commands on workflows: those of files, and the kept versions of a job's workflow. */
export function addWorkflowCommands(program: Command, run: Run): void {
  const workflow = program
    .command('workflow')
    .description('Check and draw workflows, and list their versions.');
  withFileFlags(workflow.command('check <file>'))
    .description(
      'Check the workflows of a file by the API, and show what their tasks would get. Changes nothing.',
    )
    .option('--param <name=value>', 'a parameter of the run, JSON or text; may be repeated', collect)
    .option('--output <task=value>', 'what the target of a task returns; may be repeated', collect)
    .option('--at <time>', 'the due time of the run, in the time zone of the schedule (default: now)')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack workflow check jobs.yaml\n  quarterjack workflow check jobs.yaml --job etl --param full=true --at 2026-12-01T02:00:00Z',
    )
    .action(run(checkFile));
  withFileFlags(workflow.command('graph <fileOrJobId> [version]'))
    .description('Draw a workflow of a file, or of a job.')
    .option('--mermaid', 'print a flowchart of Mermaid, for Markdown')
    .addHelpText(
      'after',
      `
A version is a number or a name that "workflow versions" lists.

Examples:
  quarterjack workflow graph jobs.yaml --job etl
  quarterjack workflow graph etl --mermaid > etl.mmd
  quarterjack workflow graph etl 2`,
    )
    .action(run(drawGraph));
  workflow
    .command('versions <jobId>')
    .description("List the kept versions of a job's workflow, the newest first.")
    .addHelpText('after', '\nExamples:\n  quarterjack workflow versions etl')
    .action(run(listVersions));
  workflow
    .command('show <jobId> [version]')
    .description("Print a job's workflow as JSON: the present one, or a kept version.")
    .addHelpText('after', '\nExamples:\n  quarterjack workflow show etl 2 > etl-2.json')
    .action(
      run(async (context: Context, _flags: object, jobId: string, version: string | undefined) => {
        const found = await workflowOf(context.client(), jobId, version);
        context.print(found, () => `${JSON.stringify(found, undefined, 2)}\n`);
      }),
    );
}

const withFileFlags = (command: Command): Command =>
  command
    .option('--job <jobId>', 'only this job of the file')
    .option('--var <NAME=value>', 'set a variable of the file; may be repeated', collect)
    .option('--env-file <file>', 'set variables from lines NAME=value; may be repeated', collect)
    .option('--env <NAME>', 'pass a variable of the environment to the file; may be repeated', collect);

async function checkFile(
  context: Context,
  { param, output, at, ...flags }: CheckFlags,
  path: string,
): Promise<void> {
  const given = { params: valuesOf('--param', param), outputs: valuesOf('--output', output) };
  const { jobs, chosen, problems: ofFile } = await jobsOf(context, flags, path);
  const tried = await askedBeside({ jobs: chosen, calendars: [], problems: ofFile }, async () =>
    dryRun(context.client(), chosen),
  );
  const client = context.client();
  const planned = new Set(jobs.map(({ jobId }) => jobId));
  const ofJobs = tried.jobs.flatMap(({ problems }, index) => {
    const job = chosen[index]!;
    return allFaults(
      job,
      problems.filter((problem) => !awaitsPlanned(problem, job, planned)),
    );
  });
  const problems = [...ofFile, ...ofJobs, ...tried.exceeded];
  if (problems.length > 0) throw new FileError(problems);
  const checks = await inParallel(chosen, async (job) => {
    const { workflow, schedule } = job.definition;
    const zone = timeZoneOf(schedule) ?? 'UTC';
    const dueAt = at === undefined ? undefined : instantIn('--at', at, context.typedAt(zone));
    const request = { workflow, ...(isPlannedByTime(schedule) && { schedule }), ...given, dueAt };
    return { job, check: await client.tasks.check(request as WorkflowCheckRequest) };
  });
  const faults = checks.flatMap(({ job, check }) => check.errors.map((error) => problemText(error, job)));
  if (faults.length > 0) throw new FileError(faults);
  const found = checks.map(({ job: { jobId }, check }) => ({ jobId, ...check }));
  context.print(found, () => found.map((one) => checkedText(one, context)).join('\n'));
}

/** Of other schedules, a plan may name jobs and calendars that do not exist yet. */
const isPlannedByTime = (schedule: unknown): schedule is Record<string, unknown> =>
  isObject(schedule) &&
  ['cron', 'interval', 'at'].includes(String(schedule.type)) &&
  !schedule.exclude &&
  !schedule.only;

function checkedText(
  { jobId, levels, rendered, unrendered, estimate }: WorkflowCheck & { jobId: string },
  { table }: Pick<Context, 'table'>,
): string {
  const rows = levels.flatMap((ids, level) =>
    ids.map((id) => [String(level + 1), id, singleLine(inputText(rendered[id], unrendered[id]))]),
  );
  const cost = estimate ? ` A run of it costs ${estimate.writes} writes, if each task succeeds at once.` : '';
  return `${jobId}: the API accepts its workflow.${cost}\n${table(['LEVEL', 'TASK', texts('GETS')], rows)}`;
}

const inputText = (rendered: unknown, unrendered: string | undefined): string =>
  unrendered ?? (rendered === undefined ? '' : JSON.stringify(rendered));

async function drawGraph(
  context: Context,
  { mermaid, ...flags }: GraphFlags,
  fileOrJobId: string,
  version: string | undefined,
): Promise<void> {
  const workflow =
    fileOrJobId === '-' || existsSync(fileOrJobId)
      ? await workflowOfFile(context, flags, fileOrJobId, version)
      : await workflowOf(context.client(), fileOrJobId, version);
  const tasks: DrawnTask[] = drawnTasks(workflow);
  context.print(tasks, () => (mermaid ? mermaidOf(tasks) : drawingOf(tasks, context.style)));
}

async function workflowOfFile(
  context: Context,
  flags: FileFlags,
  path: string,
  version: string | undefined,
): Promise<unknown> {
  if (version !== undefined)
    throw new CliError('a file has no versions: name a job, or leave the version out');
  const { chosen, problems } = await jobsOf(context, flags, path);
  if (problems.length > 0) throw new FileError(problems);
  const [job, ...others] = chosen;
  if (others.length > 0)
    throw new CliError(
      `${path} has several workflows; choose one by --job: ${chosen.map(({ jobId }) => jobId).join(', ')}`,
    );
  return job!.definition.workflow;
}

/** The jobs of a file, and those with a workflow that `--job` selects: at least one. */
async function jobsOf(
  { io }: Context,
  { job, ...flags }: FileFlags,
  path: string,
): Promise<{ jobs: FileJob[]; chosen: FileJob[]; problems: string[] }> {
  const { jobs, problems = [] } = await readJobFiles([path], io, variablesOf(flags, io.env).variables);
  const workflows = jobs.filter(({ definition }) => definition.workflow !== undefined);
  const chosen = workflows.filter(({ jobId }) => job === undefined || jobId === job);
  const others = jobs.filter((one) => !chosen.includes(one));
  const found = [...problems, ...others.flatMap((one) => allFaults(one, []))];
  if (chosen.length > 0 || found.length > 0) return { jobs, chosen, problems: found };
  const known = workflows.map(({ jobId }) => jobId).join(', ');
  throw new CliError(
    job === undefined || known === ''
      ? `${path} has no job with a workflow`
      : `${path} has no job ${JSON.stringify(job)} with a workflow; it has ${known}`,
  );
}

async function listVersions(context: Context, _flags: object, jobId: string): Promise<void> {
  const found = await context.client().tasks.versions(jobId).toArray();
  const rows = found.map(({ number, version, savedAt, isCurrent }) => [
    String(number),
    version,
    `${instantText(savedAt)}Z`,
    isCurrent ? 'current' : '',
  ]);
  context.print(found, () =>
    found.length === 0
      ? 'No versions: the job has never had a workflow.\n'
      : context.table(['NUMBER', 'VERSION', { head: 'SAVED', spare: 1 }, ''], rows),
  );
}

/** The workflow that a job has, or one that is kept, by its number or its name. */
async function workflowOf(client: Quarterjack, jobId: string, version: string | undefined): Promise<unknown> {
  if (version === undefined) {
    const { workflow } = await client.jobs.get(jobId);
    if (!workflow) throw new CliError(`the job ${jobId} has no workflow`);
    return workflow;
  }
  const name = /^\d{1,6}$/.test(version) ? await nameOfNumber(client, jobId, Number(version)) : version;
  return (await client.tasks.version(jobId, name)).workflow;
}

async function nameOfNumber(client: Quarterjack, jobId: string, number: number): Promise<string> {
  const known: WorkflowVersion[] = await client.tasks.versions(jobId).toArray();
  const found = known.find((one) => one.number === number);
  if (found) return found.version;
  const numbers = known.map((one) => one.number).join(', ');
  throw new CliError(
    `the workflow of ${jobId} has no kept version ${number}; kept are: ${numbers || 'none'}`,
  );
}
