import type { Command } from 'commander';

import type { Execution, Quarterjack, RunRequest } from '../../client';
import { addBulkFlags, bulkFilterOf, type BulkFlags } from '../bulk/bulk-flags';
import { runBulk } from '../bulk/run-bulk';
import type { Context } from '../context';
import { jsonOf } from '../json-argument';
import { CliError, ExitCode } from '../exit-codes';
import { addNote, collect, durationOf } from '../flag-values';
import { interruptible } from '../interrupt';
import { JobZones } from '../job-zones';
import type { Run } from '../run';
import { payloadWith } from '../set-values';
import { instantIn } from '../time-flags';
import { executionText } from './execution-text';

const SECOND_MS = 1_000;

interface RunFlags extends BulkFlags {
  payload?: string;
  set?: string[];
  wait?: boolean;
  timeout: string;
  key?: string;
  in?: string;
  at?: string;
  replace?: true;
  runTag?: string[];
  externalId?: string;
}

/** `jobs run`: one job, or those that a filter selects. */
export function addRun(jobs: Command, run: Run): void {
  addBulkFlags(addNote(jobs.command('run [jobId]')))
    .description('Run a job once, now or later, or those that flags select. Their schedules do not change.')
    .option('--payload <json>', 'the payload of this run, instead of the job’s')
    .option(
      '--set <name=value>',
      'a field of the payload, or a parameter of the workflow; repeatable',
      collect,
    )
    .option('-w, --wait', 'wait until the execution ends; exit code 8 unless it succeeded')
    .option('--timeout <duration>', 'how long to wait', '15m')
    .option('--in <duration>', 'run the job later: so long after now')
    .option('--at <time>', 'run the job later: at this time')
    .option(
      '--key <text>',
      'a run that has not ended keeps this key; with flags that select jobs, each runs once',
    )
    .option('--run-tag <text>', 'what this run is found by; repeatable, at most 5', collect)
    .option('--external-id <text>', 'the name of this run in your own system')
    .option('--replace', 'if a run has the key and has not started: change its time and payload')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack jobs run report --payload '{"kind":"test"}' --wait
  quarterjack jobs run report --set region=eu --set limit.rows=10
  quarterjack jobs run remind --in 30m --key unpaid-42
  quarterjack jobs run --tag team:billing --key rerun-2026-12-01`,
    )
    .action(
      run((context: Context, flags: RunFlags, jobId: string | undefined) => {
        const filter = bulkFilterOf(flags);
        if ((jobId === undefined) === (filter === undefined))
          throw new CliError('give either a job id, or flags that select jobs, such as --tag or --all');
        if (jobId !== undefined) return runJob(context, flags, jobId);
        const ofOne = flags.payload ?? flags.set ?? flags.in ?? flags.at ?? flags.replace ?? flags.wait;
        if (ofOne !== undefined)
          throw new CliError(
            '--payload, --set, --in, --at, --replace and --wait are for one job: give its id',
          );
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

async function runJob(context: Context, flags: RunFlags, jobId: string): Promise<ExitCode | void> {
  const { payload, set, wait, timeout, dryRun } = flags;
  if (dryRun) throw new CliError('--dry-run counts what flags such as --tag select: leave out the job id');
  if (payload !== undefined && set) throw new CliError('give either --payload or --set');
  const timeoutMs = durationOf('--timeout', timeout, 0);
  const client = context.client();
  const zones = new JobZones(client);
  const body = await bodyOf(flags, jobId, zones, context);
  const zone = wait && !context.json ? await zones.of(jobId) : undefined;
  const started = await client.jobs.run(jobId, body);
  if (!wait) {
    context.print(started, () => `${startText(started, flags, context)}.\n`);
    return;
  }
  context.say(`${startText(started, flags, context)} …`);
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
async function fieldsOf(set: string[] | undefined, jobId: string, client: Quarterjack): Promise<RunRequest> {
  if (!set) return {};
  const job = await client.jobs.get(jobId);
  return job.workflow
    ? { params: payloadWith(set, { payloadSchema: job.payloadSchema }) }
    : { payload: payloadWith(set, job) };
}

async function bodyOf(
  { payload, set, in: delay, at, key, replace, runTag: runTags, externalId }: RunFlags,
  jobId: string,
  zones: JobZones,
  context: Context,
): Promise<RunRequest> {
  if (delay !== undefined && at !== undefined) throw new CliError('give either --in or --at');
  if (replace && key === undefined) throw new CliError('--replace needs --key: which run it is');
  const zone = at === undefined ? undefined : await zones.of(jobId);
  return {
    ...(await fieldsOf(set, jobId, context.client())),
    ...(payload !== undefined && { payload: jsonOf('--payload', payload) }),
    ...(delay !== undefined && { delay: `${Math.ceil(durationOf('--in', delay, 0) / SECOND_MS)}s` }),
    ...(at !== undefined && { at: instantIn('--at', at, context.typedAt(zone)) }),
    ...(key !== undefined && { key }),
    ...(runTags && { runTags }),
    ...(externalId !== undefined && { externalId }),
    ...(replace && { onExisting: 'replace' as const }),
  };
}

/** The run, and when it is due if that is later; whether an earlier one has the key. */
function startText(
  { jobId, execId, dueAt, status, created }: Execution,
  { replace }: RunFlags,
  { io }: Context,
): string {
  if (created === false && status !== 'queued') return `${execId} has the key already, and is ${status}`;
  const isLater = Date.parse(dueAt) > io.nowMs();
  const when = isLater ? `${jobId} runs as ${execId} at ${dueAt}` : `Running ${jobId} as ${execId}`;
  if (created !== false) return when;
  return `${when}, ${replace ? 'in place of what its key had asked for' : 'which has the key already'}`;
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
