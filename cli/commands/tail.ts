import { setTimeout as sleep } from 'node:timers/promises';

import type { Command } from 'commander';

import {
  type Execution,
  type ExecutionStatus,
  isTerminal,
  NotFoundError,
  type Quarterjack,
} from '../../client';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { durationOf, numberOf } from '../flag-values';
import { interruptible } from '../interrupt';
import { addJobFilterFlags, type JobFilterFlags, jobFilterOf } from '../job-filter-flags';
import { JobZones } from '../job-zones';
import type { Run } from '../run';
import { statusText } from '../terminal/style';
import { bothTimes, instantText, relative } from '../terminal/times';
import { cut } from '../terminal/width';
import { lateness, reasonText } from './execution-text';

interface TailFlags extends JobFilterFlags {
  interval?: string;
  last: string;
  once?: boolean;
}

/** What is followed: one job, or all that pass a filter. */
interface Followed {
  /** The newest executions, newest first. */
  recent(): Promise<Execution[]>;
  /** Before anything is printed, if nothing has been due yet. */
  start(): Promise<void>;
  /** Whether no further execution will follow. */
  isFinished(): Promise<boolean>;
  withJob: boolean;
}

/** Executions whose last printed status is kept. A job that fires every second fills this in 83 minutes. */
const MAX_KNOWN = 5_000;
const INTERVAL = '1s';
/** A poll over many jobs reads each of them. */
const INTERVAL_OF_JOBS = '5s';

export function addTail(executions: Command, run: Run): void {
  addJobFilterFlags(
    executions
      .command('tail [jobId]')
      .description('Follow the executions of a job until it has nothing left to run, or of all jobs.'),
  )
    .option(
      '--interval <duration>',
      `time between two polls (default: ${INTERVAL}, all jobs ${INTERVAL_OF_JOBS})`,
    )
    .option('--last <n>', 'start with the last n executions', '5')
    .option('--once', 'stop after the first execution that ends from now on')
    .addHelpText(
      'after',
      `
Without a job, the command follows the executions of up to 500 jobs that pass the filters, until Ctrl-C: at each
poll, the newest 100 and those that have not ended.

Examples:
  quarterjack executions tail report
  quarterjack executions tail --tag team:billing
  quarterjack executions tail report --json | jq -c 'select(.status == "failed")'`,
    )
    .action(run(tail));
}

/**
 * Prints one line for each change of an execution's status; with `--json`, the execution as one line of JSON.
 * Returns once the job has nothing left to run, or at Ctrl-C.
 */
async function tail(context: Context, flags: TailFlags, jobId: string | undefined): Promise<ExitCode> {
  const client = context.client();
  const followed =
    jobId === undefined ? allJobs(client, flags, context) : oneJob(client, flags, jobId, context);
  const zones = new JobZones(client);
  const following = (signal: AbortSignal) => follow(context, flags, followed, zones, signal);
  const what = jobId === undefined ? 'The jobs go on.' : 'The job goes on.';
  const { isInterrupted } = await interruptible(context.io, following, `Stopped following. ${what}`);
  return isInterrupted ? ExitCode.interrupted : ExitCode.ok;
}

async function follow(
  context: Context,
  flags: TailFlags,
  followed: Followed,
  zones: JobZones,
  signal: AbortSignal,
): Promise<void> {
  const usual = followed.withJob ? INTERVAL_OF_JOBS : INTERVAL;
  const intervalMs = durationOf('--interval', flags.interval ?? usual);
  const last = numberOf('--last', flags.last);
  const seen = new Map<string, ExecutionStatus>();
  for (let isFirst = true; ; isFirst = false) {
    const recent = await followed.recent();
    if (isFirst && recent.every(({ status }) => status === 'scheduled')) await followed.start();
    const changed = changesSince(
      seen,
      recent.filter(({ status }) => status !== 'scheduled'),
    );
    const shown = isFirst ? changed.slice(changed.length - last) : changed;
    const zoneOf = context.json ? new Map() : await zones.ofAll(shown);
    for (const execution of shown)
      printChange(context, execution, { zone: zoneOf.get(execution.jobId), withJob: followed.withJob });
    if (flags.once && !isFirst && changed.some(isTerminal)) return;
    if (recent.every(isTerminal) && (await followed.isFinished())) return;
    if (signal.aborted) return;
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined); // Ctrl-C ends the pause
    if (signal.aborted) return;
  }
}

function oneJob(client: Quarterjack, flags: TailFlags, jobId: string, context: Context): Followed {
  const { interval: _, last: __, once: ___, ...filters } = flags;
  if (Object.keys(filters).length > 0)
    throw new CliError(
      '--tag, --prefix, --kind, --pool and --target select among all jobs: leave the jobId out',
    );
  return {
    recent: () => client.executions.list(jobId, { limit: 100 }).toArray(100),
    // Throws for a jobId that does not exist, which would otherwise be followed forever.
    async start() {
      const { nextFireAt, status } = await client.jobs.get(jobId);
      const due = nextFireAt ? `due ${relative(nextFireAt, context.io.nowMs())}` : 'with no due time';
      context.say(`Waiting: the job is ${status}, ${due}.`);
    },
    isFinished: () => isFinished(client, jobId),
    withJob: false,
  };
}

const allJobs = (client: Quarterjack, flags: TailFlags, context: Context): Followed => ({
  recent: recentOfJobs(client, flags, context),
  start: async () => context.say('Waiting: no job has been due within the last hour.'),
  isFinished: async () => false,
  withJob: true,
});

/** True if no further execution will follow: the job is completed or deleted. */
async function isFinished({ jobs }: Quarterjack, jobId: string): Promise<boolean> {
  try {
    return (await jobs.get(jobId)).status === 'completed';
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    throw error;
  }
}

function printChange(
  { json, out, style, width = Infinity }: Context,
  execution: Execution,
  { zone, withJob }: { zone: string | undefined; withJob: boolean },
): void {
  if (json) return out(`${JSON.stringify(execution)}\n`);
  const { jobId, dueAt, status, attempts, execId } = execution;
  const count = attempts.length > 1 ? `${attempts.length} attempts` : '';
  const details = [lateness(execution) && `${lateness(execution)} late`, count, reasonText(execution)]
    .filter(Boolean)
    .join(', ');
  const due = zone === undefined ? instantText(dueAt) : bothTimes(dueAt, zone);
  const job = withJob ? `${style.strong(jobId)}  ` : '';
  const line = `${due}  ${job}${statusText(status, style)}  ${style.dim(execId)}  ${details}`;
  out(`${cut(line.trimEnd(), width)}\n`);
}

/** The executions whose status differs from the one in `seen`, oldest first. Updates `seen`. */
export function changesSince(
  seen: Map<string, ExecutionStatus>,
  newestFirst: readonly Execution[],
): Execution[] {
  const keyOf = ({ jobId, execId }: Execution) => `${jobId}/${execId}`;
  const changed = newestFirst.filter((one) => seen.get(keyOf(one)) !== one.status).toReversed();
  for (const one of changed) {
    seen.delete(keyOf(one));
    seen.set(keyOf(one), one.status);
  }
  for (const key of [...seen.keys()].slice(0, Math.max(0, seen.size - MAX_KNOWN))) seen.delete(key);
  return changed;
}

/** The most executions of one page, and of one look-up. */
const MAX_PAGE = 100;
const HOUR_MS = 3_600_000;

/**
 * Polls the executions of all jobs that pass a filter. Each poll returns the newest 100 that were due within
 * the last hour, and those of earlier polls that had not ended.
 */
function recentOfJobs(
  client: Quarterjack,
  flags: JobFilterFlags,
  { io }: Pick<Context, 'io'>,
): () => Promise<Execution[]> {
  const filter = jobFilterOf(flags);
  let open: Execution[] = [];
  return async () => {
    const from = new Date(io.nowMs() - HOUR_MS).toISOString();
    const { items } = await client.executions.pageOfJobs({ ...filter, from, limit: MAX_PAGE });
    const keys = new Set(items.map(keyOf));
    const earlier = open.filter((one) => !keys.has(keyOf(one))).slice(0, MAX_PAGE);
    const found = earlier.length > 0 ? await client.executions.lookup(earlier) : [];
    const recent = [...items, ...found.filter((one) => one !== null)];
    open = recent.filter((one) => !isTerminal(one) && one.status !== 'scheduled');
    return recent;
  };
}

const keyOf = ({ jobId, execId }: Execution): string => `${jobId}/${execId}`;
