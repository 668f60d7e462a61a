import type { AttemptRecord, Execution } from '../../../domain/execution';
import type { ExecutionStatus } from '../../../domain/transitions';
import type { Ending, ExecutionRef, NextAttempt } from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { executionOf, executionRowKey } from './execution-row';
import { readRow } from './read-executions';
import { failureKeyOf } from './failures';
import { isBefore } from './transition-condition';

/** A status that an execution takes, the attributes that come with it, and those that go. */
export interface RunningChange {
  to: ExecutionStatus;
  set: Row;
  remove: readonly string[];
}

/** Retention begins with the end; reason and result of an earlier end, before a revival, do not stay. */
export const changeToEnd = (ref: ExecutionRef, { status, ...ending }: Ending): RunningChange => ({
  to: status,
  set: { status, ...ending, ...failureKeyOf(ref, status) },
  remove: [
    'claimId',
    'claimedAtMs',
    'startAtMs',
    'delegatedTo',
    'cancelRequested',
    ...(ending.reason === undefined ? ['reason'] : []),
    ...(ending.result === undefined ? ['result'] : []),
  ],
});

/** What waits for an attempt has no retention. */
export const changeToWait = (next: NextAttempt): RunningChange => ({
  to: 'retrying',
  set: { status: 'retrying', ...next },
  remove: ['claimId', 'claimedAtMs', 'heartbeatAtMs', 'delegatedTo', 'cancelRequested', 'expiresAtSec'],
});

/**
 * Ends the running attempt: a step out of `running`, under `held`, with the attempt's records appended.
 * `current` is undefined where the row is gone.
 */
export async function endRunning(
  access: TableAccess,
  ref: ExecutionRef,
  held: { condition: string; values: Row },
  step: RunningChange,
  records: readonly AttemptRecord[],
): Promise<{ left: true } | { left: false; current?: Execution; retried: boolean }> {
  const before = isBefore(step.to, ['running']);
  const { clauses, values } = assignments(step.set);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(ref),
    ConditionExpression: allOf(before.condition, held.condition),
    UpdateExpression: updateOf({
      set: records.length > 0 ? [...clauses, appendRecords] : clauses,
      remove: step.remove,
    }),
    ExpressionAttributeValues: {
      ...before.values,
      ...held.values,
      ...values,
      ...(records.length > 0 && { ':records': records }),
    },
  });
  if (answer.held) return { left: true };
  const row = answer.current ?? (await readRow(access, ref));
  return { left: false, current: row && executionOf(row), retried: answer.retried };
}

/** Adds `:records` to the history. */
export const appendRecords = '#attempts = list_append(#attempts, :records)';

/** Whether the history holds these very records: a fence has one end for each target. */
export const holdsRecords = (execution: Execution, records: readonly AttemptRecord[]): boolean =>
  records.every((record) =>
    execution.attempts.some(
      ({ fence, target, outcome, finishedAtMs }) =>
        fence === record.fence &&
        target === record.target &&
        outcome === record.outcome &&
        finishedAtMs === record.finishedAtMs,
    ),
  );
