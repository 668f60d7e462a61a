import type { Lane } from '../contracts/pools';
import type { Job } from '../domain/job';
import type { ExecutionQueue } from './execution-queue';

/**
 * What delays a job's messages, in the queue of its priority or in the overflow queue: which of the two a
 * message took is unknown.
 *
 * - `waiting`: no executor has received the messages yet, so the queue is long.
 * - `in-flight`: executors have received all of them. An idle executor claims at once, so this lasts only if
 *   an executor has died with its messages. The queue then hides them for its whole visibility time.
 */
export type BacklogState = 'none' | 'in-flight' | 'waiting';

export type BacklogOf = (job: Pick<Job, 'pool' | 'priority'>) => Promise<BacklogState>;

/** Asks each queue once a pass, before the pass itself has sent anything. */
export function backlogs(queue: Pick<ExecutionQueue, 'backlog'>): BacklogOf {
  const backlogOfQueue = new Map<string, Promise<BacklogState>>();
  const ask = (pool: string, lane: Lane): Promise<BacklogState> => {
    const key = `${pool}/${lane}`;
    const known = backlogOfQueue.get(key) ?? queue.backlog(pool, lane).then(backlogIn);
    backlogOfQueue.set(key, known);
    return known;
  };
  return async ({ pool, priority }) => {
    const both = await Promise.all([ask(pool, priority), ask(pool, 'overflow')]);
    return LONGEST_FIRST.find((backlog) => both.includes(backlog))!;
  };
}

const LONGEST_FIRST: readonly BacklogState[] = ['waiting', 'in-flight', 'none'];

const backlogIn = ({ visible, inFlight }: { visible: number; inFlight: number }): BacklogState =>
  visible > 0 ? 'waiting' : inFlight > 0 ? 'in-flight' : 'none';
