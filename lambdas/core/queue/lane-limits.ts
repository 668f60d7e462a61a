import { type Clock, SECOND_MS } from '../clock/clock';
import { type ExecutionMessage, isForWorkers } from '../contracts/messages';
import type { Priority } from '../contracts/pools';
import { userPartOf } from '../contracts/tables';
import type { ActiveShardCount } from '../deps';
import { executorsHeld, meanHeldMs, type RecentLoad } from '../domain/call-load';
import { LONGEST_SHORT_CALL_MS } from '../domain/long-call';
import { shardOf } from '../domain/shard';
import type { ExecutionQueue, Outgoing } from './execution-queue';
import type { KnownLoads } from './known-loads';
import { StartCounts } from './start-counts';
import type { LimitScope } from './user-rate-limit';

/** Executors of each priority's lane that the calls of one project may hold, by pool. */
export type LaneLimits = Readonly<Record<string, Readonly<Record<Priority, number>>>>;

/** No call in the lane of a priority holds an executor for longer, so earlier starts are over. */
const LONGEST_HELD_SEC = LONGEST_SHORT_CALL_MS / SECOND_MS;

/** The project's limit in the message's lane; undefined: its pool has none, or it is no short call. */
const limitOf = (message: ExecutionMessage, limits: LaneLimits): number | undefined =>
  message.longCall || isForWorkers(message) ? undefined : limits[message.pool]?.[message.priority];

/** Whether calls of the message's project hold more executors of its pool than its limit of the lane. */
export async function exceedsLaneLimit(
  message: ExecutionMessage,
  { limits, loadOf, clock }: { limits: LaneLimits; loadOf: KnownLoads; clock: Pick<Clock, 'nowMs'> },
): Promise<boolean> {
  const limit = limitOf(message, limits);
  if (limit === undefined) return false;
  const load = await loadOf({ userId: userPartOf(message.jobKey), pool: message.pool }, limit);
  return executorsHeld(load, clock.nowMs()) > limit;
}

export interface LaneLimitDeps {
  limitScope: LimitScope;
  loadOf: KnownLoads;
  clock: Pick<Clock, 'nowMs'>;
  shardCount: ActiveShardCount;
}

/**
 * Queues that keep each project to its limit in a lane. Executors report how long calls hold them (ADR 35).
 * While a project holds more executors than its limit, its calls are expected to take as long as the last
 * ones did. So a call is sent to its lane if fewer than the limit are expected to be under way there. The
 * rest goes to the overflow queue.
 *
 * Each shard, or process, has its part of the limit, at least 1, and counts on its own. A project that has
 * sent less than that within 30 s costs no read.
 */
export function limitLanes(
  queue: ExecutionQueue,
  limits: LaneLimits,
  { limitScope, loadOf, clock, shardCount }: LaneLimitDeps,
): ExecutionQueue {
  const sent = new StartCounts();

  /** The lane of a message; undefined: its usual one. */
  const laneFor = async (message: ExecutionMessage, limit: number, shards: number) => {
    const { pool, priority, jobKey, startAtMs } = message;
    const nowMs = clock.nowMs();
    const counted = limitScope === 'per-process' ? 'all' : shardOf(jobKey, shards);
    const key = `${pool}#${priority}#${counted}#${userPartOf(jobKey)}`;
    const second = StartCounts.secondOf(startAtMs, nowMs);
    const part = Math.max(1, Math.floor(limit / shards));
    if (sent.within(key, second, LONGEST_HELD_SEC) >= part) {
      const load = await loadOf({ userId: userPartOf(jobKey), pool }, limit);
      if (executorsHeld(load, nowMs) > limit && !hasRoom(load, part, key, second)) return 'overflow';
    }
    sent.add(key, second);
    return undefined;
  };

  const hasRoom = (load: RecentLoad, part: number, key: string, second: number): boolean => {
    const heldSec = Math.min(meanHeldMs(load) / SECOND_MS, LONGEST_HELD_SEC);
    const seconds = Math.max(1, Math.ceil(heldSec));
    return sent.within(key, second, seconds) < (part * seconds) / heldSec;
  };

  return {
    has: (pool, priority) => queue.has(pool, priority),
    backlog: (pool, lane) => queue.backlog(pool, lane),
    async send(messages) {
      if (messages.length === 0) return;
      const shards = await shardCount();
      sent.forgetBefore(StartCounts.secondOf(0, clock.nowMs()) - LONGEST_HELD_SEC);
      const kept: Outgoing[] = [];
      for (const outgoing of messages) {
        const limit = outgoing.lane ? undefined : limitOf(outgoing.message, limits);
        const lane = limit === undefined ? undefined : await laneFor(outgoing.message, limit, shards);
        kept.push(lane ? { ...outgoing, lane } : outgoing);
      }
      await queue.send(kept);
    },
  };
}
