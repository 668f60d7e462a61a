import type { Job } from '../domain/job';
import type { ExecutionQueue } from '../queue/execution-queue';

/** Whether messages of a job's queue wait or are being worked on. */
export type HasBacklog = (job: Pick<Job, 'pool' | 'priority'>) => Promise<boolean>;

/** Asks each queue once a pass, before the pass has sent anything itself. */
export function backlogs(queue: Pick<ExecutionQueue, 'backlog'>): HasBacklog {
  const asked = new Map<string, Promise<boolean>>();
  return ({ pool, priority }) => {
    const key = `${pool}/${priority}`;
    const known =
      asked.get(key) ?? queue.backlog(pool, priority).then(({ visible, inFlight }) => visible + inFlight > 0);
    asked.set(key, known);
    return known;
  };
}
