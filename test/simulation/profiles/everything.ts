import { drawActions, USER } from './everything/draw-actions';
import { drawFaults } from './everything/draw-faults';
import { OTHER_POOL, SERVED_QUEUES } from './everything/draw-target';
import { MINUTE_MS, profileOf } from './draws';

/**
 * Every field of a job and of a task, and every operation, each drawn by itself. So no pair of them waits for
 * an author to think of it. Few jobs of one user share keys, calendars, events and workers. Half of the seeds
 * have no auditor.
 */
export const everything = profileOf(
  (draws) => ({
    ...(draws.plan.seed % 2 === 0 && { withoutAuditor: true as const }),
    visibilitySec: 60,
    pools: [OTHER_POOL],
    workers: { queues: SERVED_QUEUES, each: 1, concurrency: 2, users: [USER] },
    faults: drawFaults(draws),
    actions: drawActions(draws.random, draws.plan),
  }),
  { lastsMs: 8 * MINUTE_MS },
);
