import type { Command } from 'commander';

import type { Execution, Quarterjack } from '../../client';
import { addBulkFlags, bulkFilterOf, type BulkFlags } from '../bulk/bulk-flags';
import { runBulk } from '../bulk/run-bulk';
import type { Context } from '../context';
import { jsonOf } from '../definition-flags';
import { CliError, ExitCode } from '../exit-codes';
import { addNote, collect, durationOf } from '../flag-values';
import { interruptible } from '../interrupt';
import { JobZones } from '../job-zones';
import type { Run } from '../run';
import { payloadWith } from '../set-values';
import { executionText } from './execution-text';

interface RunFlags extends BulkFlags {
  payload?: string;
  set?: string[];
  wait?: boolean;
  timeout: string;
  key?: string;
}

/** `jobs run`: one job, or those that a filter selects. */
export function addRun(jobs: Command, run: Run): void {
  addBulkFlags(addNote(jobs.command('run [jobId]')))
    .description('Run a job once, now, or those that flags select. Their schedules do not change.')
    .option('--payload <json>', 'the payload of this run, instead of the job’s')
    .option(
      '--set <name=value>',
      'a field of the payload, or a parameter of the workflow; repeatable',
      collect,
    )
    .option('-w, --wait', 'wait until the execution ends; exit code 8 unless it succeeded')
    .option('--timeout <duration>', 'how long to wait', '15m')
    .option('--key <text>', 'with flags that select jobs: run each of them only once under this key')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack jobs run report --payload '{"kind":"test"}' --wait
  quarterjack jobs run report --set region=eu --set limit.rows=10
  quarterjack jobs run --tag team:billing --key rerun-2026-12-01`,
    )
    .action(
      run((context: Context, flags: RunFlags, jobId: string | undefined) => {
        const filter = bulkFilterOf(flags);
        if ((jobId === undefined) === (filter === undefined))
          throw new CliError('give either a job id, or flags that select jobs, such as --tag or --all');
        if (jobId !== undefined) return runJob(context, flags, jobId);
        if (flags.payload !== undefined || flags.set || flags.wait)
          throw new CliError('--payload, --set and --wait are for one job: give its id');
        const key = flags.key ?? globalThis.crypto.randomUUID();
        return runBulk(context, {
          request: { action: 'run', filter: filter!, all: flags.all },
          what: 'job',
          done: 'started',
          dryRun: flags.dryRun === true,
          idempotencyKey: key,
          goOn: `run it again with --key ${key}`,
        });
      }),
    );
}

async function runJob(
  context: Context,
  { payload, set, wait, timeout, key, dryRun }: RunFlags,
  jobId: string,
): Promise<ExitCode | void> {
  if (dryRun) throw new CliError('--dry-run counts what flags such as --tag select: leave out the job id');
  if (payload !== undefined && set) throw new CliError('give either --payload or --set');
  const timeoutMs = durationOf('--timeout', timeout, 0);
  const client = context.client();
  const body =
    payload === undefined ? await bodyOf(set, jobId, client) : { payload: jsonOf('--payload', payload) };
  const zone = wait && !context.json ? await new JobZones(client).of(jobId) : undefined;
  const started = await client.jobs.run(jobId, body, { idempotencyKey: key });
  if (!wait) {
    context.print(started, () => `Running ${jobId} as ${started.execId}.\n`);
    return;
  }
  context.say(`Running ${jobId} as ${started.execId} …`);
  const { result: ended } = await interruptible(
    context.io,
    (signal) => waitUnlessAborted(client, started, { timeoutMs, signal }),
    `Stopped waiting. The execution goes on: quarterjack executions show ${jobId} ${started.execId}`,
  );
  if (!ended) return ExitCode.interrupted;
  context.print(ended, () => executionText(ended, context, zone));
  return ended.status === 'succeeded' ? ExitCode.ok : ExitCode.notSucceeded;
}

/** The fields of `--set`, as the schema of the job takes them. */
async function bodyOf(set: string[] | undefined, jobId: string, client: Quarterjack): Promise<object> {
  if (!set) return {};
  const job = await client.jobs.get(jobId);
  return job.workflow
    ? { params: payloadWith(set, { payloadSchema: job.payloadSchema }) }
    : { payload: payloadWith(set, job) };
}

/** Undefined if the signal aborts first. */
async function waitUnlessAborted(
  { executions }: Quarterjack,
  { jobId, execId }: Execution,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<Execution | undefined> {
  try {
    return await executions.wait(jobId, execId, options);
  } catch (error) {
    if (options.signal.aborted) return undefined;
    throw error;
  }
}
