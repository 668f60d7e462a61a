/** From the most to the least urgent. Each pool has one queue per priority. */
export const PRIORITIES = ['highest', 'high', 'medium', 'low', 'lowest'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The queues of a pool: one per priority, and one for executions above the per-user rate limit. */
export const LANES = [...PRIORITIES, 'overflow'] as const;
export type Lane = (typeof LANES)[number];

export const DEFAULT_POOL = 'default';
