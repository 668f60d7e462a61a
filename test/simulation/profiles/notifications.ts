import type { FakeRandom } from '../../support/fake-random';
import type { RunPlan } from '../run-plan';
import type { Action, ClientAction } from '../workload';
import type { WriteKill, WriteKind } from '../write-kills';
import { type Draws, MINUTE_MS, profileOf, withActions, withEachJob } from './draws';

const USERS = ['alice', 'bob'];
/** Before the first job is created. */
const FIRST_MS = 5_000;
const SECOND_MS = 1_000;
const FIRST_ID = 20_000;
const KILLS = 40;
const WRITES: readonly WriteKind[] = ['entry', 'row', 'row', 'message', 'cursor'];

const body = {
  on: ['failed', 'skipped', 'late', 'recovered'],
  lateAfter: '2m',
  minInterval: '1m',
  target: { type: 'http', url: 'https://example.com/alerts' },
};

const scheduleOf = (random: FakeRandom) =>
  random.pick([
    { type: 'interval', every: '90s' },
    { type: 'interval', every: '2m' },
    { type: 'cron', expression: '*/3 * * * *' },
  ]);

/** The users' first requests, of which each needs those before it. */
const firstOf = (requests: readonly Pick<ClientAction, 'action' | 'jobId' | 'body'>[]): ClientAction[] =>
  requests.flatMap((request, at) =>
    USERS.map((userId, index) => ({
      ...request,
      id: FIRST_ID + USERS.length * at + index,
      atMs: FIRST_MS - (requests.length - 1 - at) * 4 * SECOND_MS,
      userId,
    })),
  );

/** Executions fail, are skipped, come late and recover, while nodes die at any await and at their writes. */
function failing(
  { random, plan, window, kills, actions }: Draws,
  first: readonly ClientAction[],
  kinds: readonly Action[],
  more: object = {},
): Partial<RunPlan> {
  const jobs = withEachJob(plan, () => ({
    schedule: scheduleOf(random),
    overlap: random.pick(['allow', 'skip', 'queue']),
    orderingKey: null,
    retry: { maxAttempts: random.between(1, 2), initialDelay: '5s' },
    ...more,
  })).filter(({ userId }) => userId !== 'carol');
  return {
    withoutAuditor: true,
    faults: [
      window('target-fails', 0.35),
      window('target-refuses', 0.1),
      window('target-slow', 0.15),
      window('queue-duplicated', 0.2),
      window('queue-delayed', 0.1),
      ...kills(40, 'sweeper', 60),
      ...kills(10, 'executor', 16),
      ...Array.from({ length: KILLS }, (_, index): WriteKill => ({
        id: 1_000 + index,
        kind: 'kill-at-write',
        fromMs: random.between(MINUTE_MS, plan.healMs),
        stage: random.fraction() < 0.8 ? 'sweeper' : 'executor',
        write: random.pick(WRITES),
        nth: random.between(1, 4),
        side: random.pick(['before', 'after']),
      })),
    ],
    actions: withActions({ ...plan, actions: jobs }, [...first, ...actions(kinds, 20)]),
  };
}

/** Notifications send a message about each. No auditor repairs what the other stages leave. */
export const notifications = profileOf((draws) => ({
  ...failing(draws, firstOf([{ action: 'notification', jobId: 'ops', body }]), [
    'run',
    'retry',
    'pause',
    'resume',
  ]),
  conditions: { ...draws.plan.conditions, notifiedFromMs: FIRST_MS },
}));

export const INCIDENT_SECRET = { value: 'a routing key', hosts: ['events.pagerduty.com'] };
export const KEEPING_INCIDENTS = {
  on: ['failed'],
  minInterval: '1m',
  target: { type: 'pagerduty', routingKey: '{{ secrets.pagerduty }}' },
};

/** Notifications open incidents and resolve them, while users also delete jobs. */
export const incidents = profileOf((draws) => ({
  ...failing(
    draws,
    firstOf([
      { action: 'put-secret', jobId: 'pagerduty', body: INCIDENT_SECRET },
      { action: 'notification', jobId: 'pages', body: KEEPING_INCIDENTS },
    ]),
    ['run', 'retry', 'pause', 'resume', 'delete'],
  ),
  conditions: { ...draws.plan.conditions, incidentsFromMs: FIRST_MS },
}));

export const TELLING_PACES = {
  on: ['slow', 'quick', 'recovered'],
  minInterval: '1m',
  target: { type: 'http', url: 'https://example.com/alerts' },
};

/** Successes take longer or less long than their jobs expect, while those that see and tell it die. */
export const durations = profileOf((draws) => ({
  ...failing(
    draws,
    firstOf([{ action: 'notification', jobId: 'paces', body: TELLING_PACES }]),
    ['run', 'retry', 'pause', 'resume'],
    { expectDuration: { min: '1s', max: '5s' } },
  ),
  conditions: { ...draws.plan.conditions, pacedFromMs: FIRST_MS },
}));
