import type { Command } from 'commander';

import type { WorkQueue, WorkQueueDetail } from '../../client';
import type { Context } from '../context';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { fields, plain } from '../terminal/table';
import { instantText, relative } from '../terminal/times';
import { EXECUTION_COLUMN } from './execution-text';

const WAITING_COLUMNS = [
  'JOB',
  EXECUTION_COLUMN,
  'TASK',
  { head: 'ATTEMPT', spare: 3 },
  { head: 'PRIORITY', spare: 1 },
  { head: 'START', spare: 2 },
  'OFFERED',
];

export function addQueueCommand(program: Command, run: Run): void {
  program
    .command('queues [name]')
    .description('Show the work queues and how much waits in them, or one queue with its workers.')
    .option('--workers', 'show the workers of all queues')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack queues\n  quarterjack queues warehouse\n  quarterjack queues --workers',
    )
    .action(
      run(async (context: Context, { workers }: { workers?: true }, name: string | undefined) => {
        const { workQueues } = context.client();
        if (name !== undefined) {
          const queue = await workQueues.get(name);
          return context.print(queue, () => detailText(queue, context));
        }
        const all = await workQueues.list({ workers }).toArray();
        context.print(all, () => (workers ? workersText(all, context) : listText(all, context)));
      }),
    );
}

function listText(queues: readonly WorkQueue[], { table, io }: Context): string {
  if (queues.length === 0) return 'No job names a work queue.\n';
  return table(
    ['QUEUE', 'JOBS', 'WAITING', 'OLDEST'],
    queues.map((one) => [
      singleLine(one.queue),
      String(one.jobs),
      waitingText(one),
      oldestText(one, io.nowMs()),
    ]),
  );
}

function workersText(queues: readonly WorkQueue[], { table, io }: Context): string {
  const rows = queues.flatMap(({ queue, workers = [] }) =>
    workers.map(({ worker, lastSeenAt }) =>
      [worker, queue, relative(lastSeenAt, io.nowMs())].map(singleLine),
    ),
  );
  return rows.length === 0 ? NO_WORKER : table(['WORKER', 'QUEUE', 'SEEN'], rows);
}

const NO_WORKER = 'No worker has asked within the last hour.\n';

const waitingText = ({ waiting, waitingIs }: WorkQueue): string =>
  waitingIs === 'exact' ? String(waiting) : `≥${waiting}`;

const oldestText = ({ oldestOfferedAt }: WorkQueue, nowMs: number): string =>
  oldestOfferedAt === null ? '' : relative(oldestOfferedAt, nowMs);

function detailText(queue: WorkQueueDetail, { table, io }: Context): string {
  const nowMs = io.nowMs();
  const head = fields([
    ['Queue', plain(queue.queue)],
    ['Jobs', String(queue.jobs)],
    ['Waiting', waitingText(queue)],
    ['Oldest', oldestText(queue, nowMs)],
  ]);
  const first = queue.first.map(({ jobId, execId, taskId, attempt, priority, startAt, offeredAt }) => [
    singleLine(jobId),
    singleLine(execId),
    singleLine(taskId ?? ''),
    String(attempt),
    priority,
    `${instantText(startAt)}Z`,
    relative(offeredAt, nowMs),
  ]);
  const line = first.length === 0 ? '' : `\n${table(WAITING_COLUMNS, first)}`;
  const workers = queue.workers.map((one) => [singleLine(one.worker), relative(one.lastSeenAt, nowMs)]);
  const seen = workers.length === 0 ? `\n${NO_WORKER}` : `\n${table(['WORKER', 'SEEN'], workers)}`;
  return `${head}${line}${seen}`;
}
