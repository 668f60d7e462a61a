import type { Command } from 'commander';

import type { TaskDetail } from '../../client';
import type { Context } from '../context';
import { execIdOf } from '../execution-id';
import { addNote, numberOf, pageSizeOf } from '../flag-values';
import type { Run } from '../run';
import { statusText } from '../terminal/style';
import { singleLine } from '../terminal/printable';
import { plain, texts } from '../terminal/table';
import { instantText } from '../terminal/times';
import { actorText } from './actor-text';
import { ATTEMPT_COLUMNS, EXECUTION_COLUMN } from './execution-text';
import { addTaskControls } from './run-controls';
import { itemsText } from './run-text';
import { whyText } from './why-text';

const SHOWN_AWAITED = 5;
const EXAMPLE = 'etl 20261201T010000.000Z';

/** Commands on the tasks of a run. */
export function addTaskCommands(program: Command, run: Run): void {
  const tasks = program.command('tasks').description('Show, cancel, approve and skip the tasks of a run.');
  tasks
    .command('list <jobId> <execId>')
    .description('List the tasks of a run, each after all that it depends on.')
    .option('--status <status>', 'only tasks with this status')
    .addHelpText('after', `\nExamples:\n  quarterjack tasks list ${EXAMPLE} --status failed`)
    .action(
      run(async (context: Context, { status }: { status?: string }, jobId: string, typed: string) => {
        const client = context.client();
        const execId = await execIdOf(client, jobId, typed);
        const filter = {
          limit: 1_000,
          ...(status !== undefined && { status: status as TaskDetail['status'] }),
        };
        const found = await client.tasks.list(jobId, execId, filter).toArray();
        const rows = found.map((task) => [
          task.taskId,
          statusText(task.status, context.style),
          String(task.attempts),
          task.dependsOn.join(', '),
          singleLine([whyText(task), ...task.because].filter(Boolean).join(' ')),
        ]);
        context.print(found, () =>
          found.length === 0
            ? 'No tasks.\n'
            : context.table(
                ['TASK', 'STATUS', { head: 'ATTEMPTS', spare: 1 }, texts('DEPENDS ON'), texts('WHY')],
                rows,
              ),
        );
      }),
    );
  tasks
    .command('show <jobId> <execId> <taskId>')
    .description('Show one task with its attempts.')
    .addHelpText('after', `\nExamples:\n  quarterjack tasks show ${EXAMPLE} extract`)
    .action(
      run(async (context: Context, _flags: object, jobId: string, typed: string, taskId: string) => {
        const client = context.client();
        const execId = await execIdOf(client, jobId, typed);
        const task = await client.tasks.get(jobId, execId, taskId);
        context.print(task, () => taskText(task, context));
      }),
    );
  addItems(tasks, run);
  addTaskControls(tasks, run, taskText);
  addNote(tasks.command('cancel <jobId> <execId> <taskId>'))
    .description('Cancel a task that is waiting for an attempt or running.')
    .addHelpText('after', `\nExamples:\n  quarterjack tasks cancel ${EXAMPLE} extract`)
    .action(
      run(async (context: Context, _flags: object, jobId: string, typed: string, taskId: string) => {
        const client = context.client();
        const execId = await execIdOf(client, jobId, typed);
        const task = await client.tasks.cancel(jobId, execId, taskId);
        context.print(task, () => taskText(task, context));
      }),
    );
}

/** Who approved, rejected or skipped it, when, and why. */
const decidedText = ({ by, at, comment }: NonNullable<TaskDetail['decided']>): string =>
  plain(
    [by ? `by ${actorText(by)}` : 'by its time limit', `at ${instantText(at)}Z`, comment]
      .filter(Boolean)
      .join(', '),
  );

function awaitedText({ awaited }: TaskDetail): string | undefined {
  if (!awaited) return undefined;
  const left = awaited.occurrences.filter(({ status }) => status !== 'succeeded');
  const shown = left.map(({ dueAt, status }) => `${instantText(dueAt)}Z ${status ?? 'not begun'}`);
  return plain(`${awaited.jobId}: ${shown.slice(0, SHOWN_AWAITED).join(', ') || 'its next execution'}`);
}

function addItems(tasks: Command, run: Run): void {
  tasks
    .command('items <jobId> <execId> <taskId>')
    .description('List the items of a task with forEach.')
    .option('--status <status>', 'only items with this status')
    .option('--limit <n>', 'show at most this many', '100')
    .addHelpText('after', `\nExamples:\n  quarterjack tasks items ${EXAMPLE} load --status failed`)
    .action(
      run(async (context: Context, flags: ItemFlags, jobId: string, typed: string, taskId: string) => {
        const client = context.client();
        const execId = await execIdOf(client, jobId, typed);
        const max = numberOf('--limit', flags.limit);
        const filter = {
          limit: pageSizeOf(max),
          ...(flags.status !== undefined && { status: flags.status as TaskDetail['status'] }),
        };
        const found = await client.tasks.items(jobId, execId, taskId, filter).toArray(max);
        const rows = found.map((item) => [
          String(item.index),
          singleLine(JSON.stringify(item.item)),
          statusText(item.status, context.style),
          String(item.attempts),
          ...(startsJob(found) ? [item.child?.execId ?? ''] : []),
          singleLine([item.reason, item.result?.body].filter(Boolean).join(' ')),
        ]);
        const job = startsJob(found)
          ? [{ ...EXECUTION_COLUMN, head: `EXECUTION OF ${found[0]!.child!.jobId}` }]
          : [];
        const attempts = { head: 'ATTEMPTS', spare: 1 };
        const columns = ['INDEX', texts('ITEM'), 'STATUS', attempts, ...job, texts('RESULT')];
        context.print(found, () => (found.length === 0 ? 'No items.\n' : context.table(columns, rows)));
      }),
    );
}

/** Whether each of the items starts another job. */
const startsJob = ([first]: readonly { child?: unknown }[]): boolean => first?.child !== undefined;

interface ItemFlags {
  status?: string;
  limit: string;
}

function taskText(
  task: TaskDetail,
  { style, table, fields }: Pick<Context, 'style' | 'table' | 'fields'>,
): string {
  const instant = (value: string | null) => (value ? `${instantText(value)}Z` : undefined);
  const result = [task.result?.statusCode, task.result?.body].filter(
    (one) => one !== null && one !== undefined,
  );
  const head = fields([
    ['task', style.strong(task.taskId)],
    ['name', task.name && plain(task.name)],
    ['status', statusText(task.status, style)],
    ['items', itemsText(task) || undefined],
    ['reason', whyText(task)],
    ['decided', task.decided && decidedText(task.decided)],
    ['because of', task.because.join(', ')],
    ['waits for', awaitedText(task)],
    ['depends on', task.dependsOn.join(', ')],
    ['started', instant(task.startedAt)],
    ['finished', instant(task.finishedAt)],
    ['result', plain(result.join(' '))],
  ]);
  if (task.attemptList.length === 0) return head;
  const rows = task.attemptList.map((attempt) => [
    String(attempt.attempt),
    String(attempt.fence),
    `${instantText(attempt.startedAt)}Z`,
    attempt.outcome,
    String(attempt.statusCode ?? ''),
    singleLine(attempt.error ?? ''),
  ]);
  return `${head}\n${table(ATTEMPT_COLUMNS, rows)}`;
}
