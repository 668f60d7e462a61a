import { RESTORED_WITHIN_MS } from '../restores';
import { MINUTE_MS, profileOf, withActions, withEachJob } from './draws';

/** Longer than the stop, so that there is a life before it and after it. */
const LASTS_MS = 22 * MINUTE_MS;
const UNGATED = { overlap: 'allow', orderingKey: null };

/**
 * Operators put tables back to an earlier time as docs/restore.md says: one alone, or all three. No client
 * acts meanwhile. The checker asks for what is promised then: docs/reliability.md lists it by table.
 */
export const restoredTables = profileOf(
  ({ random, plan, window, kills, actions }) => {
    const tables = random.pick(['jobs', 'executions', 'all'] as const);
    const stopMs = random.between(6, 9) * MINUTE_MS;
    const toMs = stopMs - random.between(MINUTE_MS / 2, 5 * MINUTE_MS);
    // Executions alone are put back only if no job has a gate: a holder without a record would keep it.
    const jobs = tables === 'executions' ? withEachJob(plan, () => UNGATED) : plan.actions;
    const further = actions(['patch', 'pause', 'resume', 'run', 'retry', 'cancel'], 40);
    const all = withActions({ ...plan, actions: jobs }, further);
    return {
      conditions: { ...plan.conditions, restored: tables },
      restore: { tables, toMs, stopMs },
      faults: [
        window('target-refuses', 0.2),
        window('target-fails', 0.1),
        window('queue-duplicated', 0.2),
        ...kills(8, 'executor', 14),
        ...kills(4, 'sweeper', 20),
      ],
      actions: all.filter(({ atMs }) => atMs < stopMs || atMs > stopMs + RESTORED_WITHIN_MS),
    };
  },
  { lastsMs: LASTS_MS },
);
