import { type Clock, SECOND_MS } from '../clock/clock';
import type { ExecutionMessage } from '../contracts/messages';
import { shardOf } from '../domain/shard';
import type { ExecutionQueue, Outgoing } from './execution-queue';
import type { ShardsInForce } from '../deps';

/**
 * `one for each shard`: whoever works on a shard alone sends all that the shard has due, so it counts each shard by itself.
 * `one of many`: nobody knows how many others send for the same user at the same time, so all its messages share one count.
 */
export type Sender = 'one for each shard' | 'one of many';

export interface FairShareDeps {
  sender: Sender;
  clock: Pick<Clock, 'nowMs'>;
  shards: ShardsInForce;
}

/**
 * Queues that send what a user has due beyond its share to the overflow queue of the pool, whose executors are its own: so
 * however much one user has due at once, others find the queues of their priorities as short as the shares keep them.
 * Each shard has its part of the share, at least one. Counted by each process on its own, for the seconds to come; what is
 * sent twice counts twice, which can only make a share smaller. What is sent to a lane by name goes there.
 *
 * @param sharesPerSec executions of one user and second, by pool; a pool that has none is not bounded
 */
export function fairShare(
  queue: ExecutionQueue,
  sharesPerSec: Readonly<Record<string, number>>,
  { sender, clock, shards }: FairShareDeps,
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
    const counted = sender === 'one of many' ? 'all' : shardOf(jobKey, shardCount);
    const key = `${pool}#${counted}#${userPartOf(jobKey)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return !Object.hasOwn(sharesPerSec, pool) || count <= Math.ceil(sharesPerSec[pool]! / shardCount);
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
export const overflowing = (queue: ExecutionQueue): ExecutionQueue => ({
  has: (pool, priority) => queue.has(pool, priority),
  backlog: (pool, lane) => queue.backlog(pool, lane),
  send: (messages) => queue.send(messages.map((outgoing) => ({ ...outgoing, lane: 'overflow' }))),
});

const userPartOf = (jobKey: string): string => jobKey.slice(0, jobKey.indexOf('/'));
