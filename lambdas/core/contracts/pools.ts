/** From the most to the least urgent. Each pool has one queue for each. */
export const PRIORITIES = ['highest', 'high', 'medium', 'low', 'lowest'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const DEFAULT_POOL = 'default';
