import { DEFAULT_POOL, PRIORITIES, type Priority } from '../../lambdas/core/contracts/pools';
import type { Composition } from '../../lambdas/core/platform/compose';
import { CallMeter } from '../../lambdas/executor/call-meter';
import type { ExecutorDeps } from '../../lambdas/executor/deps';
import { exceedsLaneLimit } from '../../lambdas/executor/lane-limit';

/** One limit, in the lane of each priority. */
export const sameForAllLanes = (limit: number): Record<Priority, number> =>
  Object.fromEntries(PRIORITIES.map((priority) => [priority, limit])) as Record<Priority, number>;

/** What keeps each project to a limit in the lanes of the default pool. Without a limit, it only measures. */
export const laneLimitDeps = (
  composed: Composition,
  limit: number | undefined,
): Pick<ExecutorDeps, 'callMeter' | 'exceedsLaneLimit'> => ({
  callMeter: new CallMeter(composed),
  exceedsLaneLimit: exceedsLaneLimit(
    limit === undefined ? {} : { [DEFAULT_POOL]: sameForAllLanes(limit) },
    composed,
  ),
});
