import type { ExecutionQueue } from './execution-queue';

/**
 * Queues that send every message to the overflow lane, unless its call may be long. Executors of the overflow
 * queue use it. Otherwise retries and successors of overflowed executions would re-enter the queues of the
 * priorities.
 */
export const routeToOverflow = (queue: ExecutionQueue): ExecutionQueue => ({
  has: (pool, priority) => queue.has(pool, priority),
  backlog: (pool, lane) => queue.backlog(pool, lane),
  send: (messages) =>
    queue.send(
      messages.map((outgoing) => (outgoing.message.longCall ? outgoing : { ...outgoing, lane: 'overflow' })),
    ),
});
