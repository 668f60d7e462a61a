import { instantText } from '../../core/clock/clock';
import type { WorkQueueView } from '../../core/http/work-answers';
import type { ApiDeps } from '../request';

/** Tickets of a queue that are counted. */
const MOST_COUNTED = 1_000;

/** A queue, and how much waits in it. Cost: about 6 read units for each 100 tickets. */
export async function queueView(
  userId: string,
  { queue, jobs }: { queue: string; jobs: number },
  { work }: ApiDeps,
): Promise<WorkQueueView> {
  const { waiting, isAtLeast, oldestOfferedAtMs } = await work.count({ userId, queue }, MOST_COUNTED);
  return {
    queue,
    jobs,
    waiting,
    waitingIs: isAtLeast ? 'at-least' : 'exact',
    oldestOfferedAt: oldestOfferedAtMs === undefined ? null : instantText(oldestOfferedAtMs),
  };
}
