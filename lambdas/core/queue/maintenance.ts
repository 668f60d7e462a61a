import { cached } from '../async/cached';
import { type Clock, SECOND_MS } from '../clock/clock';
import type { InMaintenance } from '../deps';
import type { ScheduleStore } from '../store/schedule-store';
import type { ExecutionQueue } from './execution-queue';

/** Far less than the shortest horizon. Messages that were sent ahead are held up by the executors. */
const CACHE_TTL_MS = 15 * SECOND_MS;

/** Reads whether the deployment is in maintenance mode, and caches the answer. */
export const maintenanceMode = (store: Pick<ScheduleStore, 'readMaintenance'>, clock: Clock): InMaintenance =>
  cached(CACHE_TTL_MS, clock, async () => (await store.readMaintenance()) !== undefined);

/**
 * Queues that send nothing in maintenance mode. Nothing is lost: each message has an entry, and the sweeper
 * rechecks the entry until maintenance ends, and then sends the message.
 */
export const dropWhileInMaintenance = (
  queue: ExecutionQueue,
  inMaintenance: InMaintenance,
): ExecutionQueue => ({
  has: (pool, priority) => queue.has(pool, priority),
  backlog: (pool, lane) => queue.backlog(pool, lane),
  async send(messages) {
    if (messages.length > 0 && !(await inMaintenance())) await queue.send(messages);
  },
});
