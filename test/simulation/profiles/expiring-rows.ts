import { WRITTEN_WITHIN_MS } from '../../../lambdas/core/domain/timing';
import { MINUTE_MS, profileOf, withActions, withEachJob } from './draws';

/** Long enough for rows to vanish while faults last. */
const LASTS_MS = 30 * MINUTE_MS;
const CLAIMED_FOR_MS = 6 * MINUTE_MS;
/** Longer than a claim may be on its way, as a day is. */
const MARGIN_MS = WRITTEN_WITHIN_MS + MINUTE_MS;

/**
 * Rows vanish at their expiry or later, minutes after executors have stopped to claim what they record.
 * Messages come twice or late, and executors freeze. Nothing that is still needed may have vanished. Without
 * an auditor: it reads 90 minutes of history, which is less than the shortest retention, and more than this.
 */
export const expiringRows = profileOf(
  ({ random, plan, window, freezes, kills, actions }) => {
    const gated = withEachJob(plan, () => ({
      overlap: random.pick(['allow', 'allow', 'skip', 'replace']),
      orderingKey: random.pick([null, null, 'key-1']),
    }));
    return {
      visibilitySec: 60,
      withoutAuditor: true,
      expiry: { claimedForMs: CLAIMED_FOR_MS, marginMs: MARGIN_MS },
      conditions: { ...plan.conditions, pauseRecordedMs: CLAIMED_FOR_MS },
      faults: [
        window('queue-duplicated', 0.4),
        window('queue-delayed', 0.2),
        window('queue-delete-lost', 0.2),
        window('target-fails', 0.1),
        window('target-refuses', 0.2),
        window('store-answer-lost', 0.05),
        ...freezes(15, 'executor', 10),
        ...kills(10, 'executor', 14),
        ...kills(5, 'sweeper', 20),
      ],
      actions: withActions({ ...plan, actions: gated }, actions(['retry', 'retry', 'run', 'cancel'], 40)),
    };
  },
  { lastsMs: LASTS_MS },
);
