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
import { ExitCode } from '../exit-codes';
import { interruptible } from '../interrupt';
import { durationOf, numberOf } from '../flag-values';
import type { Run } from '../run';
import { statusText } from '../terminal/style';
import { instantText, relative } from '../terminal/times';
import { lateness, reasonText } from './execution-text';

interface TailFlags {
  interval: string;
  last: string;
  once?: boolean;
}

/** Executions whose last printed status is kept. A job that fires every second fills this in 83 minutes. */
const MAX_KNOWN = 5_000;

export function addTail(executions: Command, run: Run): void {
  executions
    .command('tail <jobId>')
    .description('Follow a job’s executions until it has nothing left to run, or until Ctrl-C.')
    .option('--interval <duration>', 'time between two polls', '1s')
    .option('--last <n>', 'start with the last n executions', '5')
    .option('--once', 'stop after the first execution that ends from now on')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack executions tail report\n  quarterjack executions tail report --json | jq -c \'select(.status == "failed")\'',
    )
    .action(run(tail));
}

/**
 * Prints one line for each change of an execution's status; with `--json`, the execution as one line of JSON.
 * Returns once the job has nothing left to run, or at Ctrl-C.
 */
async function tail(context: Context, flags: TailFlags, jobId: string): Promise<ExitCode> {
  const following = (signal: AbortSignal) => follow(context, flags, jobId, signal);
  const { isInterrupted } = await interruptible(context.io, following, 'Stopped following. The job goes on.');
  return isInterrupted ? ExitCode.interrupted : ExitCode.ok;
}

async function follow(context: Context, flags: TailFlags, jobId: string, signal: AbortSignal): Promise<void> {
  const intervalMs = durationOf('--interval', flags.interval);
  const last = numberOf('--last', flags.last);
  const client = context.client();
  const seen = new Map<string, ExecutionStatus>();
  for (let isFirst = true; ; isFirst = false) {
    const recent = await client.executions.list(jobId, { limit: 100 }).toArray(100);
    // Throws for a jobId that does not exist, which would otherwise be followed forever.
    if (isFirst && recent.every(({ status }) => status === 'scheduled')) {
      const { nextFireAt, status } = await client.jobs.get(jobId);
      const due = nextFireAt ? `due ${relative(nextFireAt, context.io.nowMs())}` : 'with no due time';
      context.say(`Waiting: the job is ${status}, ${due}.`);
    }
    const changed = changesSince(
      seen,
      recent.filter(({ status }) => status !== 'scheduled'),
    );
    for (const execution of isFirst ? changed.slice(changed.length - last) : changed)
      printChange(context, execution);
    if (flags.once && !isFirst && changed.some(isTerminal)) return;
    if (recent.every(isTerminal) && (await isFinished(client, jobId))) return;
    if (signal.aborted) return;
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined); // Ctrl-C ends the pause
    if (signal.aborted) return;
  }
}

/** True if no further execution will follow: the job is completed or deleted. */
async function isFinished({ jobs }: Quarterjack, jobId: string): Promise<boolean> {
  try {
    return (await jobs.get(jobId)).status === 'completed';
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    throw error;
  }
}

function printChange({ json, out, style }: Context, execution: Execution): void {
  if (json) return out(`${JSON.stringify(execution)}\n`);
  const { dueAt, status, attempts, execId } = execution;
  const count = attempts.length > 1 ? `${attempts.length} attempts` : '';
  const details = [lateness(execution) && `${lateness(execution)} late`, count, reasonText(execution)]
    .filter(Boolean)
    .join(', ');
  const line = `${instantText(dueAt)}  ${statusText(status, style)}  ${style.dim(execId)}  ${details}`;
  out(`${line.trimEnd()}\n`);
}

/** The executions whose status differs from the one in `seen`, oldest first. Updates `seen`. */
export function changesSince(
  seen: Map<string, ExecutionStatus>,
  newestFirst: readonly Execution[],
): Execution[] {
  const changed = newestFirst.filter(({ execId, status }) => seen.get(execId) !== status).toReversed();
  for (const { execId, status } of changed) {
    seen.delete(execId);
    seen.set(execId, status);
  }
  for (const execId of [...seen.keys()].slice(0, Math.max(0, seen.size - MAX_KNOWN))) seen.delete(execId);
  return changed;
}
