import { type Command, Option } from 'commander';

import { type ExecutionStatus, NotFoundError, type Quarterjack } from '../../client';
import type { Context } from '../context';
import { jsonOf } from '../definition-flags';
import { addNote, numberOf, pageSizeOf } from '../flag-values';
import type { Run } from '../run';
import { timeZoneOf } from '../schedule-text';
import { executionText, printExecutions } from './execution-text';
import { runText } from './run-text';
import { addTail } from './tail';

interface ListFlags {
  status?: ExecutionStatus;
  from?: string;
  to?: string;
  order?: 'asc' | 'desc';
  limit: string;
}

const STATUSES = [
  'scheduled',
  'queued',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const satisfies readonly ExecutionStatus[];

export function addExecutionCommands(program: Command, run: Run): void {
  const executions = program
    .command('executions')
    .description('Show, cancel and retry the executions of a job.');
  addList(executions, run);
  addShow(executions, run);
  addTail(executions, run);
  addCancel(executions, run);
  addNote(executions.command('retry <jobId> <execId>'))
    .description('Run a failed, cancelled or skipped execution again.')
    .addHelpText('after', '\nExamples:\n  quarterjack executions retry report 20261201T090000.000Z')
    .option('--payload <json>', 'the payload that its targets get, instead of the one before')
    .action(
      run(async (context: Context, { payload }: { payload?: string }, jobId: string, execId: string) => {
        const options = payload === undefined ? {} : { payload: jsonOf('--payload', payload) };
        const execution = await context.client().executions.retry(jobId, execId, options);
        context.print(execution, () => executionText(execution, context));
      }),
    );
}

function addList(executions: Command, run: Run): void {
  executions
    .command('list <jobId>')
    .description('List a job’s executions, newest first.')
    .addOption(new Option('--status <status>', 'only executions with this status').choices(STATUSES))
    .option('--from <instant>', 'due at this time or later, RFC 3339')
    .option('--to <instant>', 'due before this time')
    .addOption(new Option('--order <order>', 'sort by due time').choices(['asc', 'desc']))
    .option('--limit <n>', 'show at most this many', '25')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack executions list report --status failed --from 2026-12-01T00:00:00Z',
    )
    .action(
      run(async (context: Context, { limit, ...filter }: ListFlags, jobId: string) => {
        const max = numberOf('--limit', limit);
        const client = context.client();
        const found = await client.executions.list(jobId, { ...filter, limit: pageSizeOf(max) }).toArray(max);
        const isTable = !context.json && found.length > 0;
        printExecutions(context, found, { zone: isTable ? await zoneOf(jobId, client) : undefined });
      }),
    );
}

/** The time zone of a job's schedule. Undefined if it has none, and for a deleted job. */
async function zoneOf(jobId: string, { jobs }: Quarterjack): Promise<string | undefined> {
  try {
    return timeZoneOf((await jobs.get(jobId)).schedule);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function addShow(executions: Command, run: Run): void {
  executions
    .command('show <jobId> <execId>')
    .description('Show one execution with its attempts, or a run with its tasks.')
    .addHelpText('after', '\nExamples:\n  quarterjack executions show report 20261201T090000.000Z')
    .action(
      run(async (context: Context, _flags: object, jobId: string, execId: string) => {
        const client = context.client();
        const execution = await client.executions.get(jobId, execId);
        if (!execution.workflow) return context.print(execution, () => executionText(execution, context));
        const tasks = await client.tasks.list(jobId, execId, { limit: 1_000 }).toArray();
        context.print({ ...execution, tasks }, () => runText(execution, tasks, context));
      }),
    );
}

function addCancel(executions: Command, run: Run): void {
  addNote(executions.command('cancel <jobId> <execId>'))
    .description('Cancel an execution that is waiting or running.')
    .option('--force', 'cancel the finally tasks of a run too')
    .addHelpText('after', '\nExamples:\n  quarterjack executions cancel report 20261201T090000.000Z')
    .action(
      run(async (context: Context, { force }: { force?: boolean }, jobId: string, execId: string) => {
        const execution = await context.client().executions.cancel(jobId, execId, { force });
        context.print(execution, () => executionText(execution, context));
      }),
    );
}
