import { MINUTE_MS, profileOf, withEachJob } from './draws';

/** Executors freeze between the overlap lock and the claim, while messages wait or get lost. */
export const overlapFreezes = profileOf(({ random, plan, window, freezes }) => ({
  faults: [
    ...freezes(25, 'executor', 8),
    ...freezes(10, 'executor', 4),
    window('queue-stopped', 0.5, { fromMs: random.between(MINUTE_MS, 4 * MINUTE_MS) }),
    window('queue-lost', 0.4),
    window('target-slow', 0.6),
    window('queue-duplicated', 0.4),
  ],
  actions: withEachJob(plan, () => ({ overlap: random.pick(['skip', 'queue', 'replace']) })),
}));
