import type { Job } from '../domain/job';
import type { ExecutionQueue } from '../queue/execution-queue';

/**
 * What is in the way of a job's messages. `waiting`: messages that nobody has received, so the queue is long. `in hand`:
 * all are with executors; one that is free claims what it has received at once, so this lasts only where one has died with
 * its messages, which the queue then hides for its whole visibility time.
 */
export type Backlog = 'none' | 'in hand' | 'waiting';

export type BacklogOf = (job: Pick<Job, 'pool' | 'priority'>) => Promise<Backlog>;

/** Asks each queue once a pass, before the pass has sent anything itself. */
export function backlogs(queue: Pick<ExecutionQueue, 'backlog'>): BacklogOf {
  const asked = new Map<string, Promise<Backlog>>();
  return ({ pool, priority }) => {
    const key = `${pool}/${priority}`;
    const known = asked.get(key) ?? queue.backlog(pool, priority).then(backlogIn);
    asked.set(key, known);
    return known;
  };
}

const backlogIn = ({ visible, inFlight }: { visible: number; inFlight: number }): Backlog =>
  visible > 0 ? 'waiting' : inFlight > 0 ? 'in hand' : 'none';
