/** From the most to the least urgent. Each pool has one queue for each. */
export const PRIORITIES = ['highest', 'high', 'medium', 'low', 'lowest'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The queues of a pool: one for each priority, and one for what a user has due beyond its share. */
export const LANES = [...PRIORITIES, 'overflow'] as const;
export type Lane = (typeof LANES)[number];

export const DEFAULT_POOL = 'default';
