import { type Clock, SECOND_MS } from '../clock/clock';
import type { ExecutionMessage } from '../contracts/messages';
import { userPartOf } from '../contracts/tables';
import { shardOf } from '../domain/shard';
import type { ExecutionQueue, Outgoing } from './execution-queue';
import type { ActiveShardCount } from '../deps';

/**
 * `per-shard`: whoever works on a shard alone sends all that the shard has due, so it counts each shard by itself.
 * `per-process`: nobody knows how many others send for the same user at the same time, so all its messages share one count.
 */
export type LimitScope = 'per-shard' | 'per-process';

export interface UserRateLimitDeps {
  limitScope: LimitScope;
  clock: Pick<Clock, 'nowMs'>;
  shards: ActiveShardCount;
}

/**
 * Queues that send what a user has due beyond its share to the overflow queue of the pool, whose executors are its own: so
 * however much one user has due at once, others find the queues of their priorities as short as the shares keep them.
 * Each shard has its part of the share, at least one. Counted by each process on its own, for the seconds to come; what is
 * sent twice counts twice, which can only make a share smaller. What is sent to a lane by name goes there.
 *
 * @param limitsPerSec executions of one user and second, by pool; a pool that has none is not bounded
 */
export function limitPerUser(
  queue: ExecutionQueue,
  limitsPerSec: Readonly<Record<string, number>>,
  { limitScope, clock, shards }: UserRateLimitDeps,
): ExecutionQueue {
  /** By the second in which they start, then by pool, user and shard. */
  const sent = new Map<number, Map<string, number>>();

  const forgetBefore = (second: number): void => {
    for (const past of sent.keys()) if (past < second) sent.delete(past);
  };

  const isWithin = (message: ExecutionMessage, nowMs: number, shardCount: number): boolean => {
    const second = Math.floor(Math.max(message.startAtMs, nowMs) / SECOND_MS);
    const counts = sent.get(second) ?? new Map<string, number>();
    sent.set(second, counts);
    const { pool, jobKey } = message;
    const counted = limitScope === 'per-process' ? 'all' : shardOf(jobKey, shardCount);
    const key = `${pool}#${counted}#${userPartOf(jobKey)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return !Object.hasOwn(limitsPerSec, pool) || count <= Math.ceil(limitsPerSec[pool]! / shardCount);
  };

  return {
    has: (pool, priority) => queue.has(pool, priority),
    backlog: (pool, lane) => queue.backlog(pool, lane),
    async send(messages) {
      if (messages.length === 0) return;
      const shardCount = await shards();
      const nowMs = clock.nowMs();
      forgetBefore(Math.floor(nowMs / SECOND_MS));
      const inItsLane = (outgoing: Outgoing): Outgoing =>
        outgoing.lane || isWithin(outgoing.message, nowMs, shardCount)
          ? outgoing
          : { ...outgoing, lane: 'overflow' };
      await queue.send(messages.map(inItsLane));
    },
  };
}

/**
 * Queues that send everything to the overflow: for who works on what has overflowed. Its retries and those who waited for
 * it are the same user's, and would come back to the queues of their priorities by the back door.
 */
export const routeToOverflow = (queue: ExecutionQueue): ExecutionQueue => ({
  has: (pool, priority) => queue.has(pool, priority),
  backlog: (pool, lane) => queue.backlog(pool, lane),
  send: (messages) => queue.send(messages.map((outgoing) => ({ ...outgoing, lane: 'overflow' }))),
});
