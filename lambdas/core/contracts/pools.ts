/** From the most to the least urgent. Each pool has one queue per priority. */
export const PRIORITIES = ['highest', 'high', 'medium', 'low', 'lowest'] as const;
export type Priority = (typeof PRIORITIES)[number];

/**
 * The queues of a pool: one per priority, one for executions above the per-user rate limit, and one for long
 * calls.
 */
export const LANES = [...PRIORITIES, 'overflow', 'long'] as const;
export type Lane = (typeof LANES)[number];

/**
 * `own`: each lane has a queue. `shared`: all but long calls are in the queue of the first lane. Priorities
 * and the per-user rate limit then order nothing.
 */
export const LANE_QUEUES = ['own', 'shared'] as const;
export type LaneQueues = (typeof LANE_QUEUES)[number];

/** The lane whose queue has the messages of a lane. */
export const queuedIn = (lane: Lane, queues: LaneQueues): Lane =>
  queues === 'own' || lane === 'long' ? lane : LANES[0];

/** The lanes that have a queue. */
export const queuedLanes = (queues: LaneQueues): Lane[] =>
  LANES.filter((lane) => queuedIn(lane, queues) === lane);

/** Lanes that the canary's jobs take in turn: all that a single job can take by its definition. */
export const CANARY_LANES = [...PRIORITIES, 'long'] as const;
export type CanaryLane = (typeof CANARY_LANES)[number];

export const DEFAULT_POOL = 'default';

/** Most pools of a deployment, `default` included. */
export const MAX_POOLS = 5;

/** Why a deployment with these pools rejects the pool of a job, or of a task. */
export const faultOfPool = (pool: string | undefined, pools: readonly string[]): string | undefined =>
  pool === undefined || pools.includes(pool)
    ? undefined
    : `${JSON.stringify(pool)} is no pool of this deployment: must be one of ${pools.join(', ')}`;

/** An IPv4 or IPv6 address, as the parser of URLs writes hosts. */
const ADDRESS = /^\d+(?:\.\d+){3}$|:/;

/** `*.example.com` matches every host below it, at any depth, but not `example.com` itself. */
export const isHostOf = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) && !ADDRESS.test(host) : host === pattern;

/** The URL of the queue of the first lane of the pool `default`, and all pools. */
export interface QueuesByUrl {
  url: string;
  pools: string[];
  queues: LaneQueues;
}

const FIRST_QUEUE = `${DEFAULT_POOL}-${LANES[0]}`;

/**
 * The URL of the queue of each lane of each pool: queues are named `<deployment>-<pool>-<lane>`. The 35 URLs
 * of five pools would not fit into the environment of a function. Undefined for the URL of another queue.
 */
export function queueUrlsOf({
  url,
  pools,
  queues,
}: QueuesByUrl): Record<string, Record<Lane, string>> | undefined {
  if (!url.endsWith(FIRST_QUEUE)) return undefined;
  const stem = url.slice(0, -FIRST_QUEUE.length);
  const ofPool = (pool: string) =>
    Object.fromEntries(LANES.map((lane) => [lane, `${stem}${pool}-${queuedIn(lane, queues)}`])) as Record<
      Lane,
      string
    >;
  return Object.fromEntries(pools.map((pool) => [pool, ofPool(pool)]));
}
