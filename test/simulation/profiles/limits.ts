import { profileOf, withActions, withEachJob } from './draws';

/** Concurrency keys, and how many executions of each run at a time. */
const LIMITS = { 'limit-1': 1, 'limit-2': 2, 'limit-5': 5, 'rate-2': 5, 'rate-3': 1 };
/** Starts of those with a rate. */
const RATES = { 'rate-2': { limit: 2, per: '1m' }, 'rate-3': { limit: 3, per: '90s' } };

/**
 * Executions take slots of concurrency keys, some behind the other gates. Executors die and freeze at any
 * call, also between the count of a start, its slot and its claim. They die between an end and its release.
 */
export const limits = profileOf(({ random, plan, window, freezes, kills, actions }) => {
  const keys = Object.keys(LIMITS);
  // A freeze may hold an executor between the count of a start and its claim: then the log of starts alone
  // keeps the rate. So half of the runs have none.
  const isFrozen = random.fraction() < 0.5;
  const limited = withEachJob(plan, () => ({
    concurrencyKey: random.pick(keys),
    overlap: random.pick(['allow', 'allow', 'skip', 'queue', 'replace']),
    orderingKey: random.pick([null, null, 'key-1']),
    schedule: {
      type: 'interval',
      every: random.pick(['45s', '90s', '2m']),
      maxRuns: random.between(2, 5),
    },
  })).filter(({ userId }) => userId !== 'carol'); // a crowd would wait until long after the run
  return {
    conditions: { ...plan.conditions, limits: LIMITS, rates: RATES },
    visibilitySec: 60,
    faults: [
      window('target-fails', 0.3),
      window('queue-lost', 0.1),
      window('queue-duplicated', 0.4),
      window('queue-delayed', 0.2),
      ...(isFrozen ? freezes(8, 'executor', 16) : []),
      ...kills(25, 'executor', 24),
      ...kills(5, 'sweeper', 20),
    ],
    actions: withActions(
      { ...plan, actions: limited },
      actions(['cancel', 'retry', 'run', 'pause', 'resume', 'patch'], 40, () => ({
        concurrencyKey: random.pick([...keys, null]),
      })),
    ),
  };
});
