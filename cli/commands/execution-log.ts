import { setTimeout as sleep } from 'node:timers/promises';

import type { Command } from 'commander';

import type { Execution, LogEntry, LogPage } from '../../client';
import type { Context } from '../context';
import { execIdOf } from '../execution-id';
import { ExitCode } from '../exit-codes';
import { numberOf } from '../flag-values';
import { interruptible } from '../interrupt';
import type { Run } from '../run';
import { instantText } from '../terminal/times';
import { progressText } from './execution-text';

interface LogFlags {
  follow?: boolean;
  attempt?: string;
  task?: string;
  times?: boolean;
}

type ReadPage = (after: string | undefined) => Promise<LogPage>;

/** The most lines of one page. */
const PAGE = 1_000;
const POLL_MS = 1_000;
/** Attempts say their progress every five seconds at most. */
const POLLS_A_PROGRESS = 5;

export function addLog(executions: Command, run: Run): void {
  executions
    .command('log <jobId> [execId]')
    .description('Show the log of an execution (default: the newest).')
    .option('-f, --follow', 'go on while the execution works, and show its progress, until Ctrl-C')
    .option('--attempt <n>', 'only this attempt')
    .option('--task <taskId>', 'the log of a task of the run')
    .option('--times', 'begin each line with its time, in UTC')
    .addHelpText(
      'after',
      `
With --json, each line is a JSON document with attempt, at, stream and text.

Examples:
  quarterjack executions log load-orders
  quarterjack executions log load-orders -f --times
  quarterjack executions log load-orders 20261201T020000.000Z --json | jq -r 'select(.stream == "stderr").text'`,
    )
    .action(run(showLog));
}

async function showLog(
  context: Context,
  flags: LogFlags,
  jobId: string,
  execId: string | undefined,
): Promise<ExitCode> {
  const client = context.client();
  const attempt = flags.attempt === undefined ? undefined : numberOf('--attempt', flags.attempt);
  const id = await execIdOf(client, jobId, execId ?? 'latest');
  const read: ReadPage = (after) => {
    const filter = { attempt, after, limit: PAGE };
    return flags.task === undefined
      ? client.executions.log(jobId, id, filter)
      : client.tasks.log(jobId, id, flags.task, filter);
  };
  const show = lineWriter(context, flags);
  const isShown = flags.follow === true && flags.task === undefined && !context.json;
  const idle = isShown
    ? progressWriter(context, () => client.executions.get(jobId, id))
    : async () => undefined;
  const { isInterrupted } = await interruptible(
    context.io,
    (signal) => showPages(read, show, flags.follow === true ? idle : undefined, signal),
    'Stopped following. The execution goes on.',
  );
  return isInterrupted ? ExitCode.interrupted : ExitCode.ok;
}

/**
 * Without `idle`, an empty page is the end: the next lines are still to be written. `idle` is called while
 * there are none.
 */
async function showPages(
  read: ReadPage,
  show: (line: LogEntry) => void,
  idle: (() => Promise<void>) | undefined,
  signal: AbortSignal,
): Promise<void> {
  let after: string | undefined;
  while (!signal.aborted) {
    const { items, nextCursor } = await read(after);
    for (const line of items) show(line);
    if (nextCursor === null || (items.length === 0 && !idle)) return;
    after = nextCursor;
    if (items.length > 0) continue;
    await idle?.();
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined); // Ctrl-C
  }
}

/** Writes the progress of an execution if it has changed: it is read with every fifth poll. */
function progressWriter({ out, style }: Context, read: () => Promise<Execution>): () => Promise<void> {
  let polls = 0;
  let shown: string | undefined;
  return async () => {
    if (polls++ % POLLS_A_PROGRESS > 0) return;
    const text = progressText(await read());
    if (text !== undefined && text !== shown) out(`${style.dim(text)}\n`);
    shown = text;
  };
}

/** Writes a line. The lines of another attempt begin with its number. */
function lineWriter({ json, out, style }: Context, { times }: LogFlags): (line: LogEntry) => void {
  let attempt: number | undefined;
  return (line) => {
    if (json) return out(`${JSON.stringify(line)}\n`);
    if (attempt !== undefined && attempt !== line.attempt) out(`${style.dim(`attempt ${line.attempt}`)}\n`);
    attempt = line.attempt;
    const time = times ? `${style.dim(`${instantText(line.at)}Z`)}  ` : '';
    out(`${time}${line.stream === 'system' ? style.dim(line.text) : line.text}\n`);
  };
}
