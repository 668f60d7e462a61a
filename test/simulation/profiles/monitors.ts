import type { ClientAction } from '../workload';
import { MINUTE_MS, profileOf, withActions } from './draws';
import { INCIDENTS_FROM_MS, KEEPING } from './everything/draw-incidents';
import { actionsOfMonitors } from './everything/draw-monitors';

const USER = 'alice';

/**
 * Jobs that run elsewhere miss pings and recover, and a service keeps their incidents. What takes pings,
 * finds misses and tells of them dies at any await, and answers are lost. No auditor repairs anything.
 */
export const monitors = profileOf(
  ({ random, plan, window, kills }) => {
    const drawn = [...KEEPING, ...actionsOfMonitors(random, plan)];
    const actions = drawn.map((one, id): ClientAction => ({ ...one, id, userId: USER }));
    return {
      withoutAuditor: true,
      faults: [
        window('target-fails', 0.3),
        window('queue-duplicated', 0.2),
        window('store-answer-lost', 0.1, { stage: 'ping' }),
        window('store-request-lost', 0.1, { stage: 'ping' }),
        ...kills(20, 'ping', 10),
        ...kills(30, 'sweeper', 60),
        ...kills(10, 'executor', 16),
      ],
      actions: withActions({ ...plan, actions: [] }, actions),
      conditions: { ...plan.conditions, incidentsFromMs: INCIDENTS_FROM_MS },
    };
  },
  { lastsMs: 10 * MINUTE_MS },
);
