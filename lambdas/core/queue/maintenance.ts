import { type Clock, SECOND_MS } from '../clock/clock';
import type { ExecutionQueue } from './execution-queue';
import type { ScheduleStore } from '../store/schedule-store';
import type { InMaintenance } from '../deps';
import { cached } from '../async/cached';

/** Far less than the shortest horizon: what was sent ahead is held back by those who receive it. */
const CACHE_TTL_MS = 15 * SECOND_MS;

/** Reads the stop row, and remembers it for a little while: whoever has much to do asks once. */
export const maintenanceMode = (store: Pick<ScheduleStore, 'readMaintenance'>, clock: Clock): InMaintenance =>
  cached(CACHE_TTL_MS, clock, async () => (await store.readMaintenance()) !== undefined);

/**
 * Queues that send nothing while the deployment is stopped. A message is a hint: what it stands for has an entry, whose
 * second look files it again until the start, and sends it then. So nothing is lost, whoever wanted to send.
 */
export const dropWhileInMaintenance = (queue: ExecutionQueue, stopped: InMaintenance): ExecutionQueue => ({
  has: (pool, priority) => queue.has(pool, priority),
  backlog: (pool, lane) => queue.backlog(pool, lane),
  async send(messages) {
    if (messages.length > 0 && !(await stopped())) await queue.send(messages);
  },
});
