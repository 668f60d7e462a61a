import { type Clock, SECOND_MS } from '../clock/clock';
import type { ExecutionMessage } from '../contracts/messages';
import { userPartOf } from '../contracts/tables';
import type { ActiveShardCount } from '../deps';
import { shardOf } from '../domain/shard';
import type { ExecutionQueue, Outgoing } from './execution-queue';

/**
 * `per-shard`: the stage works on a shard alone and sends all that the shard has due, so it counts each shard
 * by itself.
 * `per-process`: how many processes send for the same user at the same time is unknown, so all messages of a
 * user share one count.
 */
export type LimitScope = 'per-shard' | 'per-process';

export interface UserRateLimitDeps {
  limitScope: LimitScope;
  clock: Pick<Clock, 'nowMs'>;
  shardCount: ActiveShardCount;
}

/**
 * Queues with a limit per project and second. Messages above the limit go to the overflow queue of the pool,
 * which has its own executors. So one project's peak does not lengthen the queues of the priorities for other
 * users (ADR 11).
 *
 * Each shard has its part of the limit, at least 1. Each process counts on its own, by the second in which a
 * message is to start. A message that is sent twice counts twice, which can only lower what the user gets. A
 * message that names its lane goes there. Long calls have a lane of their own and do not count: in the
 * overflow, they would hold up what is over quickly.
 *
 * @param limitsPerSec executions per project and second, by pool; a pool without one has no limit
 */
export function limitPerUser(
  queue: ExecutionQueue,
  limitsPerSec: Readonly<Record<string, number>>,
  { limitScope, clock, shardCount }: UserRateLimitDeps,
): ExecutionQueue {
  /** By the second in which they start, then by pool, user and shard. */
  const sent = new Map<number, Map<string, number>>();

  const forgetBefore = (second: number): void => {
    for (const past of sent.keys()) if (past < second) sent.delete(past);
  };

  const isWithin = (message: ExecutionMessage, nowMs: number, shards: number): boolean => {
    const second = Math.floor(Math.max(message.startAtMs, nowMs) / SECOND_MS);
    const counts = sent.get(second) ?? new Map<string, number>();
    sent.set(second, counts);
    const { pool, jobKey } = message;
    const counted = limitScope === 'per-process' ? 'all' : shardOf(jobKey, shards);
    const key = `${pool}#${counted}#${userPartOf(jobKey)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return !Object.hasOwn(limitsPerSec, pool) || count <= Math.ceil(limitsPerSec[pool]! / shards);
  };

  return {
    has: (pool, priority) => queue.has(pool, priority),
    backlog: (pool, lane) => queue.backlog(pool, lane),
    async send(messages) {
      if (messages.length === 0) return;
      const shards = await shardCount();
      const nowMs = clock.nowMs();
      forgetBefore(Math.floor(nowMs / SECOND_MS));
      const withLane = (outgoing: Outgoing): Outgoing =>
        outgoing.lane || outgoing.message.longCall || isWithin(outgoing.message, nowMs, shards)
          ? outgoing
          : { ...outgoing, lane: 'overflow' };
      await queue.send(messages.map(withLane));
    },
  };
}
