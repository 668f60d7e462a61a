import { PRIORITIES, type Priority } from '../../lambdas/core/contracts/pools';

/** The same share of the lane of each priority. */
export const sameForAllLanes = (share: number): Record<Priority, number> =>
  Object.fromEntries(PRIORITIES.map((priority) => [priority, share])) as Record<Priority, number>;
