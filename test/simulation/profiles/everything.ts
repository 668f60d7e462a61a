import { drawActions, USER } from './everything/draw-actions';
import { drawFaults } from './everything/draw-faults';
import { drawRestore, keepAway, withoutStops } from './everything/draw-restore';
import { OTHER_POOL, SERVED_QUEUES } from './everything/draw-target';
import { MINUTE_MS, profileOf } from './draws';

/**
 * Every field of a job and of a task, and every operation, each drawn by itself. So no pair of them waits for
 * an author to think of it. Few jobs of one user share keys, calendars, events and workers. Half of the seeds
 * have no auditor, and half of the requests a trace. A third of the seeds keeps the journal. In a few seeds,
 * tables are put back to an earlier time.
 */
export const everything = profileOf(
  (draws) => {
    const { plan, random } = draws;
    const restore = drawRestore(plan.seed);
    const faults = drawFaults(draws);
    const actions = drawActions(random, plan).map((action) =>
      action.id % 2 === 0 ? { ...action, traced: true as const } : action,
    );
    return {
      ...(plan.seed % 2 === 0 && { withoutAuditor: true as const }),
      ...(!restore && plan.seed % 3 === 0 && { journal: true as const }),
      visibilitySec: 60,
      pools: [OTHER_POOL],
      workers: { queues: SERVED_QUEUES, each: 1, concurrency: 2, users: [USER] },
      ...(restore && { restore, conditions: { ...plan.conditions, restored: restore.tables } }),
      faults: restore ? withoutStops(faults) : faults,
      actions: restore ? keepAway(restore, actions) : actions,
    };
  },
  { lastsOf: (seed) => (drawRestore(seed) ? 18 : 8) * MINUTE_MS },
);
