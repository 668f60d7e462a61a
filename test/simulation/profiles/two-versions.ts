import { MINUTE_MS, profileOf, withActions, withEachJob } from './draws';

/**
 * The present version of the code replaces the one before it, while jobs fire. Stages of both run side by
 * side. Rows of the older one lack the attributes of `NOT_YET_WRITTEN`.
 */
export const twoVersions = profileOf(({ random, plan, window, freezes, kills, actions }) => {
  const fromMs = random.between(MINUTE_MS, 3 * MINUTE_MS);
  const gated = withEachJob(plan, () => ({
    overlap: random.pick(['allow', 'skip', 'queue', 'replace']),
    orderingKey: random.pick([null, null, 'key-1']),
  }));
  return {
    visibilitySec: 60,
    rollout: { fromMs, untilMs: fromMs + random.between(1, 4) * MINUTE_MS, older: true },
    faults: [
      window('target-refuses', 0.3),
      window('queue-lost', 0.1),
      window('queue-duplicated', 0.2),
      window('queue-delayed', 0.1),
      ...freezes(5, 'executor', 10),
      ...kills(10, 'executor', 14),
      ...kills(5, 'scanner', 20),
      ...kills(5, 'api', 8),
    ],
    actions: withActions(
      { ...plan, actions: gated },
      actions(['retry', 'retry', 'run', 'cancel', 'patch', 'pause', 'resume'], 50),
    ),
  };
});
