import { jobRefOf } from '../../../lambdas/core/contracts/tables';
import { type Execution, isRun } from '../../../lambdas/core/domain/execution';
import { concurrencyKeyOf, type Job } from '../../../lambdas/core/domain/job';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { isPausedRun } from '../../../lambdas/core/domain/workflow/progress';
import { idOf, type Story } from '../story';
import { indexed } from '../story-index';

/** The next check of what waits may be late by this. */
const LATE_MS = 3 * 60_000;

/** In this time a concurrency key admits an execution, unless nothing waits for it. */
const ADMITS_WITHIN_MS = 10 * 60_000;

const isPausedByUser = (row: Execution): boolean =>
  isRun(row) && !isTerminal(row.status) && isPausedRun(row.run);

/** Whether a user holds an execution, or the run that occupies a gate at which it waits. */
export const isHeldUp = (row: Execution, job: Job | null | undefined, story: Story): boolean =>
  isPausedByUser(row) ||
  (row.heldAtMs !== undefined && job?.status === 'paused') ||
  (row.status !== 'running' && isBehindPaused(row, job, story));

function isBehindPaused(
  row: Pick<Execution, 'jobKey' | 'orderingKey' | 'payload'>,
  job: Job | null | undefined,
  { end }: Story,
): boolean {
  const { jobKey, orderingKey } = row;
  const { userId } = jobRefOf(jobKey);
  const slotKey = job ? concurrencyKeyOf(job, row) : undefined;
  return end.executions.some((one) => {
    if (!isPausedByUser(one) || jobRefOf(one.jobKey).userId !== userId) return false;
    if (one.jobKey === jobKey && job && job.overlap !== 'allow') return true;
    return (
      (orderingKey !== undefined && one.orderingKey === orderingKey) ||
      (one.concurrencyKey !== undefined && one.concurrencyKey === slotKey)
    );
  });
}

/**
 * Whether an occurrence has no record yet because it waits behind a run that a user holds. The end of the run
 * must still find it: an entry of it is to be checked again.
 */
export function waitsBehindPaused(job: Job, due: { jobKey: string; dueAtMs: number }, story: Story): boolean {
  const { jobKey, dueAtMs } = due;
  const isKept = (story.entries.get(job.revision) ?? []).some(
    (entry) =>
      entry.dueAtMs <= dueAtMs && dueAtMs <= entry.throughMs && entry.checkAtMs > story.endMs - LATE_MS,
  );
  return isKept && isBehindPaused({ jobKey, orderingKey: job.orderingKey ?? undefined }, job, story);
}

interface Tickets {
  /** The tickets that are left, by the ids of their executions. */
  left: ReadonlyMap<string, { queue: string; sort: string }>;
  /** What each queue lost last, and when. */
  last: ReadonlyMap<string, { sort: string; atMs: number }>;
}

const ticketsOf = (type: 'slot-ticket' | 'ticket') =>
  indexed((records: Story['records']): Tickets => {
    const left = new Map<string, { queue: string; sort: string }>();
    const last = new Map<string, { sort: string; atMs: number }>();
    for (const record of records) {
      if (record.src !== 'table' || record.type !== type) continue;
      const { queue, t: atMs } = record;
      const sort = 'sort' in record ? record.sort : '';
      if (record.exists) left.set(idOf(record), { queue, sort });
      else if (left.delete(idOf(record))) last.set(queue, { sort, atMs });
    }
    return { left, last };
  });

const slotTickets = ticketsOf('slot-ticket');
const orderingTickets = ticketsOf('ticket');

type Ended = Pick<Story, 'records' | 'endMs'>;

/** Whether an execution waits in the queue of a concurrency key that still admits others, one by one. */
export function waitsForSlot(id: string, { records, endMs }: Ended): boolean {
  const { left, last } = slotTickets(records);
  const before = last.get(left.get(id)?.queue ?? '');
  return before !== undefined && before.atMs > endMs - ADMITS_WITHIN_MS;
}

/**
 * Whether an execution waits for an ordering key that others before it still get. Its job's concurrency key
 * may let the first of them start more slowly than the schedule plans more.
 */
export function waitsForOrderingKey(id: string, { records, endMs }: Ended): boolean {
  const { left, last } = orderingTickets(records);
  const ticket = left.get(id);
  const before = ticket && last.get(ticket.queue);
  if (!before) return false;
  return before.sort < ticket.sort && before.atMs > endMs - ADMITS_WITHIN_MS;
}
