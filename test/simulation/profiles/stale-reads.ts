import { profileOf, withActions } from './draws';

/** The sweeper reads statuses that are minutes old, while users retry what has ended. */
export const staleReads = profileOf(({ plan, window, actions }) => ({
  faults: [
    window('store-stale', 0.8, { fromMs: 20_000, stage: 'sweeper' }),
    window('queue-lost', 0.6),
    window('target-refuses', 0.6),
  ],
  actions: withActions(plan, actions(['retry', 'retry', 'cancel'], 60)),
}));
