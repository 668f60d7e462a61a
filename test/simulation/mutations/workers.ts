import { isNotStarted, waitingAtEnd, ticketsIn } from '../checks/workers';
import type { LogRecord } from '../log';
import { idOf } from '../story';
import { endOf, type Mutable, type Mutation } from './log-edits';

/** A ticket that is old at the end of the log, of an execution that still waits. */
function aLongTicket(records: Mutable) {
  const { executions, t } = endOf(records);
  const found = [...waitingAtEnd({ records }).values()].find(
    (one) =>
      one.startWithinMs > 3_600_000 &&
      one.fromMs < t - 600_000 &&
      !executions.some((row) => idOf(row) === idOf(one)),
  );
  if (!found) throw new Error('the valid log has no such ticket');
  return found;
}

/** Ends an execution that succeeded as one for which no worker came. */
function giveUp(records: Mutable, change: { offeredAtMs?: number; t?: number }): void {
  const ticket = ticketsIn({ records }).find(
    (one) =>
      one.startWithinMs > 60_000 &&
      endOf(records).executions.some((row) => idOf(row) === idOf(one) && row.status === 'succeeded'),
  )!;
  const end = endOf(records);
  const row = end.executions.find((one) => idOf(one) === idOf(ticket))!;
  const { offeredAtMs } = ticket;
  const queue = ticket.queue.split('/').at(-1);
  const detail = { queue, offeredAtMs: change.offeredAtMs ?? offeredAtMs };
  Object.assign(row, { status: 'failed', reason: 'not-started', detail });
  const last = records.findLast(
    (record) => record.src === 'table' && record.type === 'execution' && idOf(record.execution) === idOf(row),
  )!;
  const ended = { ...structuredClone(last), execution: structuredClone(row) } as LogRecord;
  if (!isNotStarted(row)) throw new Error('the mutation changes nothing');
  records.splice(records.indexOf(last) + 1, 0, { ...ended, t: change.t ?? last.t });
}

/** Logs that break what is promised of executions that wait for a worker. */
export const workers: readonly Mutation[] = [
  [
    'ticket',
    'an execution waits for a worker, and no entry is left for it',
    (records) => {
      const { jobKey } = aLongTicket(records);
      const end = endOf(records);
      end.entries = end.entries.filter((entry) => entry.jobKey !== jobKey);
    },
  ],
  [
    'ticket-quiet',
    'an execution is rechecked again and again while its ticket stands',
    (records) => {
      const { jobKey, execId, attempt, fromMs } = aLongTicket(records);
      const filed = Array.from({ length: 20 }, (_, index): LogRecord => {
        const t = fromMs + 240_000 + index * 10_000;
        const entry = { kind: 'attempt', jobKey, execId, attempt, shard: 0, checkAtMs: t } as const;
        return { n: 0, t, src: 'table', type: 'entry', entry };
      });
      records.splice(-1, 0, ...filed);
    },
  ],
  [
    'not-started',
    'no worker came, and its time was not up',
    (records) => {
      giveUp(records, {});
    },
  ],
  [
    'not-started',
    'no worker asked a queue that the job does not name any more',
    (records) => {
      giveUp(records, { t: endOf(records).t });
      for (const record of records)
        if (record.src === 'table' && record.type === 'job' && record.job?.target?.type === 'worker')
          record.job.target.queue = 'other';
    },
  ],
  [
    'not-started',
    'no worker came for what was never offered',
    (records) => {
      giveUp(records, { offeredAtMs: 1 });
    },
  ],
];
