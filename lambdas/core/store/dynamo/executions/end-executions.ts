import type { AttemptRecord, Execution } from '../../../domain/execution';
import { type ExecutionStatus, statusesBefore } from '../../../domain/transitions';
import type { Ending, ExecutionRef, NextAttempt } from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { assignments, updateOf } from '../expressions';
import { appendRecords } from './attempt-history';
import { executionRowKey } from './execution-row';
import { failureKeyOf } from './failures';
import { currentExecution } from './read-executions';

/** A new status of a row, the attributes that come with it, and those that go. */
export interface StatusChange {
  to: ExecutionStatus;
  set: Row;
  remove: readonly string[];
}

/** Retention begins with the end. Reason and result of an earlier end, before a user retry, are removed. */
export const changeToEnd = (ref: ExecutionRef, { status, ...ending }: Ending): StatusChange => ({
  to: status,
  set: { status, ...ending, ...failureKeyOf(ref, status) },
  remove: [
    'claimId',
    'claimedAtMs',
    'startAtMs',
    'delegatedTo',
    'worker',
    'releases',
    'cancelRequested',
    ...(ending.reason === undefined ? ['reason'] : []),
    ...(ending.result === undefined ? ['result'] : []),
  ],
});

/** An execution that waits for an attempt has no retention. */
export const changeToWait = (next: NextAttempt): StatusChange => ({
  to: 'retrying',
  set: { status: 'retrying', ...next },
  remove: [
    'claimId',
    'claimedAtMs',
    'heartbeatAtMs',
    'delegatedTo',
    'worker',
    'cancelRequested',
    'expiresAtSec',
    ...(next.releases === undefined ? ['releases'] : []),
  ],
});

/**
 * Ends the running attempt: leaves `running` under a condition of `underLease`, and appends the attempt's
 * records.
 *
 * @returns if the condition failed, the row as it is; `current` is undefined if the row is gone
 * @throws if no transition leads from `running` to the new status
 */
export async function endRunning(
  access: TableAccess,
  ref: ExecutionRef,
  { condition, values }: { condition: string; values: Row },
  change: StatusChange,
  records: readonly AttemptRecord[],
): Promise<{ applied: true } | { applied: false; current?: Execution; retried: boolean }> {
  if (!statusesBefore(change.to).includes('running'))
    throw new Error(`no transition leads from running to ${change.to}`);
  const changed = assignments(change.set);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(ref),
    ConditionExpression: condition,
    UpdateExpression: updateOf({
      set: records.length > 0 ? [...changed.clauses, appendRecords] : changed.clauses,
      remove: change.remove,
    }),
    ExpressionAttributeValues: {
      ...values,
      ...changed.values,
      ...(records.length > 0 && { ':records': records }),
    },
  });
  if (answer.applied) return answer;
  return {
    applied: false,
    current: await currentExecution(access, ref, answer),
    retried: answer.retried,
  };
}
