import { setTimeout as sleep } from 'node:timers/promises';

import { type Command, Option } from 'commander';

import {
  type Execution,
  type ExecutionStatus,
  isTerminal,
  NotFoundError,
  type Quarterjack,
} from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import type { Run } from '../run';
import { statusText } from '../terminal/style';
import { instantText, parseDurationMs } from '../terminal/times';
import { executionTable, executionText, lateness, why } from './execution-text';
import { changesSince } from './tail';

interface ListFlags {
  status?: ExecutionStatus;
  from?: string;
  to?: string;
  order?: 'asc' | 'desc';
  limit: string;
}

interface FailureFlags {
  status?: 'failed' | 'skipped';
  since: string;
  from?: string;
  to?: string;
  limit: string;
}

interface TailFlags {
  interval: string;
  last: string;
  once?: boolean;
}

export function addExecutionCommands(program: Command, run: Run): void {
  const executions = program.command('executions').description('Show what jobs did, and stop or repeat it.');

  executions
    .command('list <jobId>')
    .description('List a job’s executions, newest first.')
    .option('--status <status>', 'only these')
    .option('--from <instant>', 'due from then on, RFC 3339')
    .option('--to <instant>', 'due before then')
    .option('--order <order>', 'asc or desc')
    .option('--limit <n>', 'at most so many', '25')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack executions list report --status failed --from 2026-12-01T00:00:00Z',
    )
    .action(
      run(async (context: Context, { limit, ...filter }: ListFlags, jobId: string) => {
        const max = numberOf('--limit', limit);
        const page = { ...filter, limit: Math.max(1, Math.min(100, max)) };
        show(context, await context.client().executions.list(jobId, page).toArray(max));
      }),
    );

  executions
    .command('show <jobId> <execId>')
    .description('Show one execution with its attempts.')
    .action(
      run(async (context: Context, _flags: object, jobId: string, execId: string) => {
        const execution = await context.client().executions.get(jobId, execId);
        context.print(execution, () => executionText(execution, context));
      }),
    );

  executions
    .command('tail <jobId>')
    .description('Follow a job’s executions as they happen, until it has nothing left to run, or Ctrl-C.')
    .option('--interval <duration>', 'between two looks', '1s')
    .option('--last <n>', 'begin with the last n that are there', '5')
    .option('--once', 'end with the first execution that ends from now on')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack executions tail report\n  quarterjack executions tail report --json | jq -c \'select(.status == "failed")\'',
    )
    .action(run(tail));

  executions
    .command('cancel <jobId> <execId>')
    .description('Stop an execution, waiting or running.')
    .action(
      run(async (context: Context, _flags: object, jobId: string, execId: string) => {
        const execution = await context.client().executions.cancel(jobId, execId);
        context.print(execution, () => executionText(execution, context));
      }),
    );

  executions
    .command('retry <jobId> <execId>')
    .description('Run a failed, cancelled or skipped execution again.')
    .action(
      run(async (context: Context, _flags: object, jobId: string, execId: string) => {
        const execution = await context.client().executions.retry(jobId, execId);
        context.print(execution, () => executionText(execution, context));
      }),
    );

  program
    .command('failures')
    .description('List failed and skipped executions of all jobs.')
    .addOption(new Option('--status <status>', 'only these').choices(['failed', 'skipped']))
    .option('--since <duration>', 'due within the last …', '24h')
    .option('--from <instant>', 'due from then on, RFC 3339; goes over --since')
    .option('--to <instant>', 'due before then')
    .option('--limit <n>', 'at most so many', '100')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack failures --since 7d\n  quarterjack failures --status failed --json | jq length',
    )
    .action(run(failures));
}

const show = (context: Context, executions: Execution[], options = {}): void =>
  context.print(executions, () =>
    executions.length === 0 ? 'No executions.\n' : executionTable(executions, context, options),
  );

async function failures(context: Context, flags: FailureFlags): Promise<void> {
  const sinceMs = durationOf('--since', flags.since);
  const from = flags.from ?? new Date(context.io.nowMs() - sinceMs).toISOString();
  const max = numberOf('--limit', flags.limit);
  const filter = { status: flags.status, from, to: flags.to, limit: Math.max(1, Math.min(100, max)) };
  show(context, await context.client().failures(filter).toArray(max), { withJob: true });
}

/**
 * One line for each change of an execution; with `--json`, one execution a line. Ends by itself once the job has nothing
 * left to run.
 */
async function tail(context: Context, flags: TailFlags, jobId: string): Promise<void> {
  const intervalMs = durationOf('--interval', flags.interval);
  const last = numberOf('--last', flags.last);
  const client = context.client();
  const seen = new Map<string, ExecutionStatus>();
  for (let isFirst = true; ; isFirst = false) {
    const recent = await client.executions.list(jobId, { limit: 100 }).toArray(100);
    // A name that is wrong would be followed for ever.
    if (isFirst && recent.length === 0) await client.jobs.get(jobId);
    const changed = changesSince(
      seen,
      recent.filter(({ status }) => status !== 'scheduled'),
    );
    for (const execution of isFirst ? changed.slice(changed.length - last) : changed)
      follow(context, execution);
    if (flags.once && !isFirst && changed.some(isTerminal)) return;
    if (recent.every(isTerminal) && (await isOver(client, jobId))) return;
    await sleep(intervalMs);
  }
}

/** Nothing is planned any more, or there is no such job: what it did is all there will be. */
async function isOver({ jobs }: Quarterjack, jobId: string): Promise<boolean> {
  try {
    return (await jobs.get(jobId)).status === 'completed';
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    throw error;
  }
}

function follow({ json, out, style }: Context, execution: Execution): void {
  if (json) return out(`${JSON.stringify(execution)}\n`);
  const { dueAt, status, attempts, execId } = execution;
  const times = attempts.length > 1 ? `${attempts.length} attempts` : '';
  const more = [lateness(execution) && `${lateness(execution)} late`, times, why(execution)]
    .filter(Boolean)
    .join(', ');
  out(`${instantText(dueAt)}  ${statusText(status, style)}  ${style.dim(execId)}  ${more}`.trimEnd() + '\n');
}

function numberOf(flag: string, text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new CliError(`${flag} is ${JSON.stringify(text)}; expected a number`);
}

function durationOf(flag: string, text: string): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new CliError(`${flag} is ${JSON.stringify(text)}; expected a number and ms, s, m, h or d, like 30s`);
}
