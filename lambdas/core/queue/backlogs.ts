import type { Lane } from '../contracts/pools';
import type { Job } from '../domain/job';
import type { ExecutionQueue } from './execution-queue';

/**
 * What is in the way of a job's messages, in the queue of its priority or in the overflow: nobody knows which of the two a
 * message took. `waiting`: messages that nobody has received, so the queue is long. `in-flight`:
 * all are with executors; one that is free claims what it has received at once, so this lasts only where one has died with
 * its messages, which the queue then hides for its whole visibility time.
 */
export type BacklogState = 'none' | 'in-flight' | 'waiting';

export type BacklogOf = (job: Pick<Job, 'pool' | 'priority'>) => Promise<BacklogState>;

/** Asks each queue once a pass, before the pass has sent anything itself. */
export function backlogs(queue: Pick<ExecutionQueue, 'backlog'>): BacklogOf {
  const asked = new Map<string, Promise<BacklogState>>();
  const ask = (pool: string, lane: Lane): Promise<BacklogState> => {
    const key = `${pool}/${lane}`;
    const known = asked.get(key) ?? queue.backlog(pool, lane).then(backlogIn);
    asked.set(key, known);
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
