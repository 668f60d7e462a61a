import { type BulkPage, type BulkRequest, problemOf, type Quarterjack } from '../../client';
import { confirmed } from '../commands/ask';
import type { Context } from '../context';
import { ExitCode, exitCodeOf, explain } from '../exit-codes';
import { interruptible } from '../interrupt';
import { type Progress, progressOf } from '../terminal/progress';
import { plain } from '../terminal/table';

export interface BulkCall {
  request: Omit<BulkRequest, 'dryRun' | 'expect' | 'cursor'>;
  /** `jobs` or `executions`: what is counted. */
  what: 'job' | 'execution';
  /** The outcome of an item: `paused`. */
  done: string;
  dryRun: boolean;
  /** Asks before anything is done, unless `yes`. Absent: no question. */
  question?: (selected: string) => string | Promise<string>;
  yes?: boolean;
  idempotencyKey?: string;
  /** How to go on after Ctrl-C. */
  goOn?: string;
}

/** The sum of the pages. */
type Total = Pick<BulkPage, 'done' | 'unchanged' | 'failed'>;

/**
 * Counts what the filter selects, asks if need be, and acts page by page. Ctrl-C ends it after the page under
 * way. The exit code is that of the first item that failed.
 */
export async function runBulk(context: Context, call: BulkCall): Promise<ExitCode> {
  const client = context.client();
  const count = await countOf(client, call.request);
  const selected = counted(count, call.what);
  const total: Total = { done: 0, unchanged: 0, failed: [] };
  if (count === 0) {
    context.print({ matched: 0, ...(!call.dryRun && total) }, () => `No ${call.what} matches.\n`);
    return ExitCode.ok;
  }
  if (call.dryRun) {
    context.print({ matched: count }, () => `${selected} would be ${call.done}.\n`);
    return ExitCode.ok;
  }
  if (call.question && !call.yes && !(await confirmed(context, await call.question(selected), false)))
    return ExitCode.failed;
  const progress = progressFor(context, call.request.action, count);
  const request = { ...call.request, ...(call.request.action === 'delete' && { expect: count }) };
  try {
    const { isInterrupted } = await interruptible(context.io, (signal) =>
      addPages(client.bulk(request, { idempotencyKey: call.idempotencyKey }), total, progress, signal),
    );
    progress.bar.clear();
    context.print({ matched: settledOf(total), ...total }, () => resultText(total, call, context));
    const { goOn = 'run it again.' } = call;
    if (isInterrupted) {
      context.say(`Interrupted: ${settledOf(total)} of ${count} done; ${goOn}`);
      return ExitCode.interrupted;
    }
  } catch (error) {
    progress.bar.clear();
    if (settledOf(total) > 0) context.say(`Stopped: ${settledOf(total)} of ${count} done.`);
    throw error;
  }
  const [first] = total.failed;
  return first ? exitCodeOf(problemOf(first.problem.status, first.problem)) : ExitCode.ok;
}

/** `12 jobs` */
const counted = (count: number, what: string): string => (count === 1 ? `one ${what}` : `${count} ${what}s`);

const settledOf = ({ done, unchanged, failed }: Total): number => done + unchanged + failed.length;

async function countOf(client: Quarterjack, request: BulkCall['request']): Promise<number> {
  let count = 0;
  for await (const { matched } of client.bulk({ ...request, dryRun: true })) count += matched;
  return count;
}

interface Shown {
  bar: Progress;
  /** Says how far the work is, where there is no bar. */
  line(settled: number): void;
  /** Says why the next page has to wait. */
  waits(why: string): void;
}

/** How long a log waits for the next line of progress. */
const LINE_EVERY_MS = 10_000;

/** A bar on a terminal, else a line each ten seconds. */
function progressFor(context: Context, what: string, count: number): Shown {
  const { io } = context;
  const isTerminal = io.stdout.isTTY === true && io.stderr.isTTY === true;
  const bar = progressOf({ ...io, stderr: isTerminal ? io.stderr : { write: () => undefined } }, what, count);
  let lastMs = io.nowMs();
  const line = (settled: number) => {
    if (isTerminal || settled >= count || io.nowMs() - lastMs < LINE_EVERY_MS) return;
    lastMs = io.nowMs();
    context.say(`${settled} of ${count} done`);
  };
  const waits = (why: string) => {
    bar.clear();
    context.say(`Waiting to go on: ${plain(why)}`);
  };
  return { bar, line, waits };
}

async function addPages(
  pages: AsyncGenerator<BulkPage>,
  total: Total,
  { bar, line, waits }: Shown,
  signal: AbortSignal,
): Promise<void> {
  for await (const { done, unchanged, failed, matched, stoppedBy } of pages) {
    total.done += done;
    total.unchanged += unchanged;
    total.failed.push(...failed);
    bar.step(matched);
    if (signal.aborted) return;
    line(settledOf(total));
    if (stoppedBy) waits(stoppedBy.detail);
  }
}

function resultText({ done, unchanged, failed }: Total, { what, done: verb }: BulkCall, context: Context) {
  const parts = [
    `${counted(done, what)} ${verb}`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(failed.length > 0 ? [context.style.bad(`${failed.length} failed`)] : []),
  ];
  const lines = failed.map(({ jobId, execId, problem }) => {
    const name = execId === undefined ? jobId : `${jobId} ${execId}`;
    return `${name} ${context.style.bad('failed')}: ${plain(explain(problemOf(problem.status, problem)))}\n`;
  });
  return `${lines.join('')}${parts.join(', ')}\n`;
}
