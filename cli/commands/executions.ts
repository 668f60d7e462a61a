import { type Command, Option } from 'commander';

import {
  type Execution,
  EXECUTION_STATUSES,
  type ExecutionsOfJobs,
  type ExecutionStatus,
} from '../../client';
import type { Context } from '../context';
import { execIdOf } from '../execution-id';
import { jsonOf } from '../json-argument';
import { CliError } from '../exit-codes';
import { addNote, numberOf, pageSizeOf } from '../flag-values';
import { addJobFilterFlags, type JobFilterFlags, jobFilterOf } from '../job-filter-flags';
import { JobZones } from '../job-zones';
import type { Run } from '../run';
import { fields } from '../terminal/table';
import { addRange, type RangeFlags, rangeOf } from '../time-flags';
import { addCancel } from './cancel-executions';
import { addLog } from './execution-log';
import { executionText, printExecutions } from './execution-text';
import { addRunControls } from './run-controls';
import { runText } from './run-text';
import { addTail } from './tail';

interface ListFlags extends JobFilterFlags, RangeFlags {
  runTag?: string;
  externalId?: string;
  status?: ExecutionStatus | 'ended';
  counts?: true;
  order?: 'asc' | 'desc';
  limit: string;
}

interface RetryFlags {
  payload?: string;
  mode?: (typeof RETRY_MODES)[number];
  task?: string[];
  current?: true;
}

const RETRY_MODES = ['failed', 'from', 'only', 'all'] as const;

export function addExecutionCommands(program: Command, run: Run): void {
  const executions = program.command('executions').description('Show, follow, cancel and retry executions.');
  addList(executions, run);
  addShow(executions, run);
  addTail(executions, run);
  addLog(executions, run);
  addCancel(executions, run);
  addRunControls(executions, run);
  addNote(executions.command('retry <jobId> <execId>'))
    .description('Run a failed, cancelled or skipped execution again.')
    .addHelpText('after', '\nExamples:\n  quarterjack executions retry report 20261201T090000.000Z')
    .option('--payload <json>', 'the payload that its targets get, instead of the one before')
    .addOption(
      new Option('--mode <mode>', 'of a run: which of its tasks run again (default: failed)').choices(
        RETRY_MODES,
      ),
    )
    .option('--task <taskId...>', 'of a run: the tasks of --mode from or only')
    .option('--current', 'of a run: with the workflow that its job has now')
    .action(
      run(async (context: Context, flags: RetryFlags, jobId: string, typed: string) => {
        const { payload } = flags;
        const client = context.client();
        const execId = await execIdOf(client, jobId, typed);
        const zone = context.json ? undefined : await new JobZones(client).of(jobId);
        const execution = await client.executions.retry(jobId, execId, {
          ...(payload !== undefined && { payload: jsonOf('--payload', payload) }),
          ...(flags.mode !== undefined && { mode: flags.mode }),
          ...(flags.task && { tasks: flags.task }),
          ...(flags.current && { definition: 'current' as const }),
        });
        context.print(execution, () => executionText(execution, context, zone));
      }),
    );
}

function addList(executions: Command, run: Run): void {
  addRange(
    addJobFilterFlags(
      executions
        .command('list [jobId]')
        .description('List the executions of a job, or of all jobs that pass the filters, newest first.'),
    ).addOption(
      new Option('--status <status>', 'only executions with this status; ended: of all jobs').choices([
        ...EXECUTION_STATUSES,
        'ended',
      ]),
    ),
    'due',
  )
    .option('--run-tag <text>', 'of all jobs: only what ended with this run tag, in 31 days or a range')
    .option('--external-id <text>', 'of all jobs: only those with this external id')
    .option('--counts', 'of all jobs: count what has ended by status, in place of the list')
    .addOption(new Option('--order <order>', 'of one job: sort by due time').choices(['asc', 'desc']))
    .option('--limit <n>', 'show at most this many', '25')
    .addHelpText(
      'after',
      `
Without a range, the list of all jobs goes back 24 hours.

Examples:
  quarterjack executions list report --status failed --since 7d
  quarterjack executions list report --from 'yesterday 09:00' --to today
  quarterjack executions list --tag team:billing --status running
  quarterjack executions list --run-tag customer:42 --since 7d
  quarterjack executions list --since 7d --counts`,
    )
    .action(
      run((context: Context, flags: ListFlags, jobId: string | undefined) =>
        jobId === undefined ? listOfJobs(context, flags) : listOfJob(context, flags, jobId),
      ),
    );
}

async function listOfJob(context: Context, flags: ListFlags, jobId: string): Promise<void> {
  const { limit, status, counts, since, from, to, order, ...filters } = flags;
  if (status === 'ended' || counts)
    throw new CliError('--status ended and --counts are for the list of all jobs: leave the jobId out');
  if (Object.keys(filters).length > 0)
    throw new CliError(
      '--tag, --prefix, --kind, --pool, --target, --run-tag and --external-id select among all jobs: leave the jobId out',
    );
  const max = numberOf('--limit', limit);
  const client = context.client();
  const zones = new JobZones(client);
  const range = { since, from, to };
  const isTyped = (from ?? to) !== undefined;
  const at = context.typedAt(isTyped ? await zones.of(jobId) : undefined);
  const query = { status, ...rangeOf(range, at), order, limit: pageSizeOf(max) };
  const found = await client.executions.list(jobId, query).toArray(max);
  const isTable = !context.json && found.length > 0;
  printExecutions(context, found, { zone: isTable ? await zones.of(jobId) : undefined });
}

async function listOfJobs(context: Context, flags: ListFlags): Promise<void> {
  const { limit, status, counts, since, from, to, order, runTag, externalId, ...filters } = flags;
  if (order !== undefined) throw new CliError('--order is for the executions of one job: name the job');
  const max = numberOf('--limit', limit);
  const client = context.client();
  const range = rangeOf({ since, from, to }, context.typedAt());
  const labels = { runTag, externalId };
  const query = { status, ...range, ...labels, limit: pageSizeOf(max), ...jobFilterOf(filters) };
  if (counts) return printCounts(context, await client.executions.pageOfJobs({ ...query, limit: 1, counts }));
  const found: Execution[] = [];
  const reasons = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await client.executions.pageOfJobs({ ...query, cursor });
    found.push(...page.items);
    for (const reason of page.incompleteBecause) reasons.add(BECAUSE[reason]);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && found.length < max);
  const shown = found.slice(0, max);
  const zones = context.json ? new Map() : await new JobZones(client).ofAll(shown);
  printExecutions(context, shown, { withJob: true, zones });
  if (reasons.size > 0) context.say(`The list may be incomplete: ${[...reasons].join(', and ')}.`);
}

function printCounts(context: Context, page: ExecutionsOfJobs): void {
  const { counts, incompleteBecause } = page;
  if (!counts) throw new CliError('the deployment keeps no journal of ends, so it cannot count them');
  const { atLeast, ...byStatus } = counts;
  context.print(counts, () =>
    fields(Object.entries(byStatus).map(([status, count]) => [status, `${atLeast ? '≥ ' : ''}${count}`])),
  );
  if (incompleteBecause.length > 0)
    context.say(`There may be more: ${incompleteBecause.map((reason) => BECAUSE[reason]).join(', and ')}.`);
}

const BECAUSE: Record<ExecutionsOfJobs['incompleteBecause'][number], string> = {
  time: 'the request took too long; filter the jobs',
  journal: 'what ended before the deployment began its journal of ends is listed by job alone',
  waiting: 'what waits for longer than an hour is listed once it begins',
  retention: 'older records have been removed',
};

function addShow(executions: Command, run: Run): void {
  executions
    .command('show <jobId> <execId>')
    .description('Show one execution with its attempts, or a run with its tasks.')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack executions show report latest\n  quarterjack executions show report 20261201T09',
    )
    .action(
      run(async (context: Context, _flags: object, jobId: string, typed: string) => {
        const client = context.client();
        const execId = await execIdOf(client, jobId, typed);
        const zone = context.json ? undefined : await new JobZones(client).of(jobId);
        const execution = await client.executions.get(jobId, execId);
        if (!execution.workflow)
          return context.print(execution, () => executionText(execution, context, zone));
        const tasks = await client.tasks.list(jobId, execId, { limit: 1_000 }).toArray();
        context.print({ ...execution, tasks }, () => runText(execution, tasks, context, zone));
      }),
    );
}
