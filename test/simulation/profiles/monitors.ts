import { FakeRandom } from '../../support/fake-random';
import type { ClientAction } from '../workload';
import { MINUTE_MS, profileOf, withActions } from './draws';
import { INCIDENTS_FROM_MS, KEEPING } from './everything/draw-incidents';
import { actionsOfMonitors } from './everything/draw-monitors';
import { actionsOfProjectPings } from './everything/draw-project-pings';

const USER = 'alice';
/** Drawn apart, so that no other draw changes. */
const APART = 109_000;

/**
 * Jobs that run elsewhere miss pings and recover, and a service keeps their incidents. What takes pings,
 * finds misses and tells of them dies at any await, and answers are lost. Pings make monitors, too. No
 * auditor repairs anything.
 */
export const monitors = profileOf(
  ({ random, plan, window, kills }) => {
    const apart = new FakeRandom(APART + plan.seed);
    const drawn = [...KEEPING, ...actionsOfMonitors(random, plan), ...actionsOfProjectPings(apart, plan)];
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
