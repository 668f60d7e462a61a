import { usualLaneOf } from '../contracts/messages';
import type { ExecutionQueue } from './execution-queue';

/**
 * Queues whose sender may keep a message, and execute it itself. It is asked last: maintenance mode and the
 * limit per user count such a message as any other, and its lane is decided.
 */
export const askSender = (queue: ExecutionQueue): ExecutionQueue => ({
  has: (pool, priority) => queue.has(pool, priority),
  backlog: (pool, lane) => queue.backlog(pool, lane),
  async send(messages) {
    const left = messages.filter(({ message, lane, keep }) => !keep?.(lane ?? usualLaneOf(message)));
    if (left.length > 0) await queue.send(left);
  },
});
