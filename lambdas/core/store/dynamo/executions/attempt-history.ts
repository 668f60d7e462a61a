import type { AttemptRecord, Execution } from '../../../domain/execution';

/** SET clause that appends `:records` to the history. */
export const appendRecords = '#attempts = list_append(#attempts, :records)';

/** Whether the history has these very records: under one fence, each target has one end. */
export const hasRecords = (execution: Execution, records: readonly AttemptRecord[]): boolean =>
  records.every((record) =>
    execution.attempts.some(
      ({ fence, target, outcome, finishedAtMs }) =>
        fence === record.fence &&
        target === record.target &&
        outcome === record.outcome &&
        finishedAtMs === record.finishedAtMs,
    ),
  );
