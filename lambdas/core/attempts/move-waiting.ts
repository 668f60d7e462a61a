import { inParallel } from '../async/in-parallel';
import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Job } from '../domain/job';
import { awaitsClaim, workerTargetOf } from '../domain/work';
import { isTaskExecution } from '../domain/workflow/task-id';
import type { WorkTicket } from '../store/work-store';
import { fileWaiting } from './claim-ticket';

/** Tickets of the queue that are read. Work behind them moves when a worker of the queue asks for it. */
const MOST_READ = 1_000;
const CONCURRENCY = 10;

/**
 * How many executions of a job wait in a queue that the job is about to leave: each move files an entry. None
 * if the queue cannot be read, which is logged: their tickets are left behind, as below.
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
 * an entry, by which the sweeper sends it where the job says now; then its ticket goes. A crash between them,
 * or an error, which is logged, leaves tickets behind: a claim hands their work on.
 *
 * @param most executions that are moved at most. Those after them are left behind, too
 */
export const moveWaiting = (before: Job, job: Job, most: number, deps: StageDeps): Promise<void> =>
  orLeft(before, deps, async () => {
    const waiting = await waitingToMove(before, job, deps);
    await inParallel(waiting.slice(0, most), CONCURRENCY, (ticket) => move(ticket, job, deps));
  });

async function waitingToMove(before: Job, job: Job, deps: StageDeps): Promise<WorkTicket[]> {
  const queue = workerTargetOf(before)?.queue;
  if (queue === undefined || workerTargetOf(job)?.queue === queue || before.revision !== job.revision)
    return [];
  const jobKey = jobKeyOf(job);
  const { userId } = job;
  const tickets = await deps.work.peek({ userId, queue }, { limit: MOST_READ, consistent: true });
  // Tasks keep the version of the workflow that their run began with.
  return tickets.filter(({ message }) => message.jobKey === jobKey && !isTaskExecution(message.execId));
}

async function orLeft(before: Job, { log }: StageDeps, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const [jobKey, queue] = [jobKeyOf(before), workerTargetOf(before)?.queue];
    log.error('waiting work is left in the queue that its job has left', error, { jobKey, queue });
  }
}

async function move(ticket: WorkTicket, job: Job, deps: StageDeps): Promise<void> {
  const { message } = ticket;
  const row = await deps.executions.get(message);
  // No entry of this job covers an occurrence of an earlier schedule that has no row: a claim settles it.
  if (!row && message.revision !== job.revision) return;
  if (awaitsClaim(message, row)) await fileWaiting(ticket, row, job, deps);
  await deps.work.remove(ticket);
}
