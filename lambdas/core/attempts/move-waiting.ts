import { inParallel } from '../async/in-parallel';
import { isLimited, isOrdered, type WorkMessage } from '../contracts/messages';
import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { concurrencyKeyOf, type Job } from '../domain/job';
import { awaitsClaim, workerTargetOf } from '../domain/work';
import { isTaskExecution } from '../domain/workflow/task-id';
import { gatesOf } from '../queue/attempt-entries';
import { enqueueTickets } from '../queue/ordering-tickets';
import type { WorkTicket } from '../store/work-store';
import { fileWaiting } from './claim-ticket';
import { offer } from './offer';

/** Tickets of the queue that are read. Work behind them moves when a worker of the queue asks for it. */
const MOST_READ = 1_000;
const CONCURRENCY = 10;

/**
 * How many executions of a job wait in a queue that the job is about to leave: each move files an entry. Or
 * how many were not begun, if the job is about to change its gates: each move writes a ticket. None if the
 * queue cannot be read, which is logged: their tickets are left behind, as below.
 */
export async function countToMove(before: Job, job: Job, deps: StageDeps): Promise<number> {
  let count = 0;
  await orLeft(before, deps, async () => {
    count = (await waitingToMove(before, job, deps)).length;
  });
  return count;
}

/**
 * After the change of a job: its work leaves a queue that the job does not name any more. Each execution gets
 * an entry, by which the sweeper sends it where the job says now; then its ticket goes. In the queue that the
 * job still names, work that was not begun is offered by the gates that the job has now.
 *
 * A crash in between, or an error, which is logged, leaves tickets behind. A claim hands on the work of
 * another queue, and passes the gates of the ticket.
 *
 * @param most executions that are moved at most. Those after them are left behind, too
 */
export const moveWaiting = (before: Job, job: Job, most: number, deps: StageDeps): Promise<void> =>
  orLeft(before, deps, async () => {
    const waiting = await waitingToMove(before, job, deps);
    const move = leavesQueue(before, job) ? toOtherQueue : toOtherGates;
    await inParallel(waiting.slice(0, most), CONCURRENCY, (ticket) => move(ticket, job, deps));
  });

const leavesQueue = (before: Job, job: Job): boolean =>
  workerTargetOf(job)?.queue !== workerTargetOf(before)?.queue;

/** As far as the jobs say so: a derived key may follow from a payload of the execution, too. */
const changesGates = (before: Job, job: Job): boolean =>
  before.overlap !== job.overlap ||
  before.orderingKey !== job.orderingKey ||
  before.concurrencyKey !== job.concurrencyKey ||
  concurrencyKeyOf(before) !== concurrencyKeyOf(job);

async function waitingToMove(before: Job, job: Job, deps: StageDeps): Promise<WorkTicket[]> {
  const queue = workerTargetOf(before)?.queue;
  const leaves = leavesQueue(before, job);
  if (queue === undefined || !(leaves ? before.revision === job.revision : changesGates(before, job)))
    return [];
  const jobKey = jobKeyOf(job);
  const { userId } = job;
  const tickets = await deps.work.peek({ userId, queue }, { limit: MOST_READ, consistent: true });
  // Tasks keep the version of the workflow that their run began with, and a retry keeps its gates.
  const moves = ({ execId, attempt }: WorkMessage) => !isTaskExecution(execId) && (leaves || attempt === 1);
  return tickets.filter(({ message }) => message.jobKey === jobKey && moves(message));
}

async function orLeft(before: Job, { log }: StageDeps, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const [jobKey, queue] = [jobKeyOf(before), workerTargetOf(before)?.queue];
    log.error('waiting work is left as its job was before a change', error, { jobKey, queue });
  }
}

async function toOtherQueue(ticket: WorkTicket, job: Job, deps: StageDeps): Promise<void> {
  const { message } = ticket;
  const row = await deps.executions.get(message);
  // No entry of this job covers an occurrence of an earlier schedule that has no row: a claim settles it.
  if (!row && message.revision !== job.revision) return;
  if (awaitsClaim(message, row)) await fileWaiting(ticket, row, job, deps);
  await deps.work.remove(ticket);
}

/**
 * Offers work that was not begun by the gates of its job as it is now. The time of its offer stays. Order of
 * writes: its ticket at the new ordering key → its ticket of work → its tickets at the old keys go. A message
 * in those asks for the old gates, and would be offered again. What else waits there finds out by its
 * recheck. A slot or a lock that a dead process took for this work stays: a claim may stand on it.
 */
async function toOtherGates({ message }: WorkTicket, job: Job, deps: StageDeps): Promise<void> {
  const row = await deps.executions.get(message);
  if (!awaitsClaim(message, row)) return;
  const moved = { ...message, ...gatesOf(row ?? { trigger: message.trigger }, message, job) };
  await enqueueTickets([moved], deps);
  await offer(moved, deps);
  if (isLimited(message) && moved.concurrencyKey !== message.concurrencyKey)
    await deps.concurrency.dequeue(message);
  if (isOrdered(message) && moved.orderingKey !== message.orderingKey) await deps.ordering.dequeue(message);
}
