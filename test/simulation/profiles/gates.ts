import type { FakeRandom } from '../../support/fake-random';
import type { RunPlan } from '../run-plan';
import type { ClientAction } from '../workload';
import { MINUTE_MS, profileOf, withActions, withEachJob } from './draws';
import { KEYS, unblocks } from './unblocks';

const UNBLOCKED_AFTER_MIN = [1, 3, 6, 10, 15, 20, 30, 40];

const targetOf = (random: FakeRandom) => ({
  type: 'http',
  url: 'https://example.com/hook',
  timeout: '30s',
  ...(random.fraction() < 0.5 && { mode: 'async', heartbeatTimeout: random.pick(['20s', '40s', '2m']) }),
});

/** Few occurrences each: one at a time, all of them have to be over before the run ends. */
const scheduleOf = (random: FakeRandom) => ({
  type: 'interval',
  every: random.pick(['45s', '90s', '2m']),
  maxRuns: random.between(3, 7),
});

/** A change of what waits with an execution. Its policy of overlap stays, since nothing is promised then. */
const change = (random: FakeRandom): Record<string, unknown> =>
  random.pick([
    { orderingKey: random.pick(KEYS) },
    { onFailure: random.pick(['block', 'continue']) },
    { target: targetOf(random) },
  ]);

/** The usual patches would give jobs the usual schedules. */
const withoutSchedule = (action: ClientAction): ClientAction =>
  action.action === 'patch' ? { ...action, body: { ...action.body, schedule: undefined } } : action;

const gated = (random: FakeRandom, plan: RunPlan): ClientAction[] =>
  withEachJob(plan, () => ({
    overlap: random.pick(['queue', 'queue', 'replace', 'skip']),
    orderingKey: random.pick(KEYS),
    onFailure: random.pick(['block', 'block', 'continue']),
    schedule: scheduleOf(random),
    target: targetOf(random),
    timeout: random.pick(['2m', '5m']),
  }))
    .filter(({ userId }) => userId !== 'carol') // a crowd would wait for one key until long after the run
    .map(withoutSchedule);

/**
 * Executions pass an overlap lock and an ordering key that failures block, and wait for retries and for
 * reports. Messages become dead letters after one or two receives, and operators redrive them.
 */
export const gates = profileOf(({ random, plan, window, freezes, kills, actions }) => {
  const jobs = gated(random, plan);
  const unblocked = unblocks(random, plan, UNBLOCKED_AFTER_MIN);
  return {
    visibilitySec: 60,
    redrive: { afterReceives: random.between(1, 2), everyMs: random.between(1, 4) * MINUTE_MS },
    faults: [
      window('target-fails', 0.4),
      window('target-refuses', 0.1),
      window('queue-lost', 0.1),
      window('queue-duplicated', 0.3),
      window('queue-delayed', 0.2),
      window('queue-delete-lost', 0.3),
      ...freezes(8, 'executor', 12),
      ...kills(25, 'executor', 14),
      ...kills(5, 'api', 8),
      ...kills(5, 'sweeper', 20),
    ],
    actions: withActions({ ...plan, actions: jobs }, [
      ...actions(['cancel', 'cancel', 'retry', 'retry', 'run', 'patch'], 50, change),
      ...unblocked,
    ]),
  };
});
