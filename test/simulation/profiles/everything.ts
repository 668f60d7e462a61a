import { drawActions, JOBS, USER } from './everything/draw-actions';
import { drawFaults, drawFaultsOfErrands } from './everything/draw-faults';
import { INCIDENTS_FROM_MS, drawIncidents } from './everything/draw-incidents';
import { drawMonitors } from './everything/draw-monitors';
import { drawNotifications, drawPaces, PACES_FROM_MS } from './everything/draw-notifications';
import { drawPauses } from './everything/draw-pauses';
import { drawProjectPings } from './everything/draw-project-pings';
import { drawRestore, keepAway, withoutStops } from './everything/draw-restore';
import { OTHER_POOL, SERVED_QUEUES } from './everything/draw-target';
import type { ClientAction } from '../workload';
import { collectorOf, MINUTE_MS, profileOf, withActions } from './draws';

/** What is drawn apart has ids that the other draws never reach. */
const FIRST_APART_ID = 50_000;
const PING_KILLS = 6;

/**
 * Every field of a job and of a task, and every operation, each drawn by itself. So no pair of them waits for
 * an author to think of it. Few jobs of one user share keys, calendars, events and workers. Half of the seeds
 * have no auditor, and half of the requests a trace. A third of the seeds keeps the journal, and sends spans
 * to a collector that answers, fails or is dead. In a few seeds, tables are put back to an earlier time. Half
 * have jobs that run elsewhere, half keep incidents, and half tell of slow and quick successes. In most,
 * pings make monitors.
 */
export const everything = profileOf(
  (draws) => {
    const { plan, random } = draws;
    const restore = drawRestore(plan.seed);
    const faults = drawFaults(draws);
    const incidents = drawIncidents(plan.seed);
    const monitors = drawMonitors(plan);
    const paces = drawPaces(plan.seed);
    const pings = drawProjectPings(plan);
    const apart = [
      ...[...incidents, ...monitors, ...drawPauses(plan, JOBS)],
      ...[...paces, ...drawNotifications(plan), ...pings],
    ].map((one, index): ClientAction => ({ ...one, id: FIRST_APART_ID + index, userId: USER }));
    const drawn = withActions({ ...plan, actions: drawActions(random, plan) }, apart);
    const actions = drawn.map((action) =>
      action.id % 2 === 0 ? { ...action, traced: true as const } : action,
    );
    // Drawn last, so that no other draw changes.
    const isPinged = monitors.length + pings.length > 0;
    const last = [
      ...(isPinged && faults.length > 0 ? draws.kills(PING_KILLS, 'ping', 8) : []),
      // A stop alone may be there without any other fault.
      ...(faults.length > 1 ? drawFaultsOfErrands(draws) : []),
    ];
    const hasJournal = !restore && plan.seed % 3 === 0;
    const conditions = {
      ...plan.conditions,
      ...(restore && { restored: restore.tables }),
      ...(hasJournal && { collector: collectorOf(plan.seed) }),
      ...(incidents.length > 0 && { incidentsFromMs: INCIDENTS_FROM_MS }),
      ...(paces.length > 0 && { pacedFromMs: PACES_FROM_MS }),
    };
    return {
      ...(plan.seed % 2 === 0 && { withoutAuditor: true as const }),
      ...(hasJournal && { journal: true as const }),
      visibilitySec: 60,
      pools: [OTHER_POOL],
      workers: { queues: SERVED_QUEUES, each: 1, concurrency: 2, users: [USER] },
      conditions,
      ...(restore && { restore }),
      faults: [...(restore ? withoutStops(faults) : faults), ...last],
      actions: restore ? keepAway(restore, actions) : actions,
    };
  },
  { lastsOf: (seed) => (drawRestore(seed) ? 18 : 8) * MINUTE_MS },
);
