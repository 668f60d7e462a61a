/** From the most to the least urgent. Each pool has one queue per priority. */
export const PRIORITIES = ['highest', 'high', 'medium', 'low', 'lowest'] as const;
export type Priority = (typeof PRIORITIES)[number];

/**
 * The queues of a pool: one per priority, one for executions above the per-user rate limit, and one for long
 * calls.
 */
export const LANES = [...PRIORITIES, 'overflow', 'long'] as const;
export type Lane = (typeof LANES)[number];

/** Lanes that the canary's jobs take in turn: all that a single job can take by its definition. */
export const CANARY_LANES = [...PRIORITIES, 'long'] as const;
export type CanaryLane = (typeof CANARY_LANES)[number];

export const DEFAULT_POOL = 'default';

/** Most pools of a deployment, `default` included. */
export const MAX_POOLS = 5;

const [FIRST_LANE] = LANES;

/**
 * The URLs of a pool's queues from that of its first lane: the queues of pools other than `default` are named
 * `<deployment>-<pool>-<lane>`. The 35 URLs of five pools would not fit into the environment of a function.
 */
export const urlsBeside = (firstUrl: string): Record<Lane, string> => {
  const stem = firstUrl.slice(0, -FIRST_LANE.length);
  return Object.fromEntries(LANES.map((lane) => [lane, stem + lane])) as Record<Lane, string>;
};
