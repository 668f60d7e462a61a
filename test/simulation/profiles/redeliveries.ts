import { profileOf, withActions, withEachJob } from './draws';

/** Messages of an earlier life come again after a user retry, to executors that freeze before their claim. */
export const redeliveries = profileOf(({ random, plan, window, freezes, actions }) => {
  const gated = withEachJob(plan, () => ({
    overlap: random.pick(['allow', 'skip', 'queue', 'replace']),
    orderingKey: random.pick([null, 'key-1', 'key-2']),
  }));
  return {
    visibilitySec: 60,
    faults: [
      ...freezes(40, 'executor', 8),
      window('queue-duplicated', 0.6),
      window('queue-delayed', 0.5),
      // Rarely enough that no message is received ten times.
      window('queue-delete-lost', 0.2),
      window('target-refuses', 0.5),
      window('target-slow', 0.2),
    ],
    actions: withActions({ ...plan, actions: gated }, actions(['retry', 'retry', 'retry', 'cancel'], 80)),
  };
});
