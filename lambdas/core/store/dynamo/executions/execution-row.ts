import { executionKeyOf, executionRefOf } from '../../../contracts/execution-keys';
import { EXECUTION_STATUSES } from '../../../contracts/execution-statuses';
import { EXECUTIONS_KEY, FAILURES_KEY } from '../../../contracts/tables';
import type { AttemptRecord, Execution } from '../../../domain/execution';
import { type ExecutionStatus, statusesBefore } from '../../../domain/transitions';
import type { ExecutionRef, Lease } from '../../execution-store';
import type { Row } from '../access';
import { listOf } from '../expressions';

/**
 * A row of Executions is the domain's Execution. `jobKey` is under the name of the table's key, and the
 * payload is JSON text (jobs/job-row.ts says why).
 */
export const executionRowKey = (ref: ExecutionRef): Row => executionKeyOf(ref);

/** All attributes but the key. */
export function executionAttributesOf(execution: Execution): Row {
  const { jobKey: _jobKey, execId: _execId, payload, ...attributes } = execution;
  return { ...attributes, payload: payload && JSON.stringify(payload) };
}

export const refOfRow = (row: Row): ExecutionRef =>
  executionRefOf(row[EXECUTIONS_KEY.partition] as string, row[EXECUTIONS_KEY.sort] as string);

/** Throws an error that names the row, if it is not an execution. */
export function executionOf(row: Row): Execution {
  const {
    [EXECUTIONS_KEY.partition]: _jobKey,
    [FAILURES_KEY.partition]: _failedOf,
    [FAILURES_KEY.sort]: _failedAt,
    payload,
    ...attributes
  } = row;
  const isComplete =
    (EXECUTION_STATUSES as readonly unknown[]).includes(row.status) &&
    typeof row.attempt === 'number' &&
    typeof row.fence === 'number' &&
    typeof row.dueAtMs === 'number' &&
    Array.isArray(row.attempts);
  if (!isComplete) throw new Error(`row ${JSON.stringify(refOfRow(row))} of Executions cannot be read`);
  const execution = { ...attributes, ...refOfRow(row) } as Execution;
  if (payload !== undefined) execution.payload = JSON.parse(payload as string) as { value: unknown };
  return execution;
}

/**
 * The condition that a row is in a status from which a transition leads to `to`. `only` narrows it to the
 * statuses that the write is meant for. Throws if there is no such transition.
 */
export function isBefore(
  to: ExecutionStatus,
  only?: readonly ExecutionStatus[],
): { condition: string; values: Record<string, unknown> } {
  const from = statusesBefore(to).filter(
    (status) => status !== 'scheduled' && (only?.includes(status) ?? true),
  );
  if (from.length === 0) throw new Error(`no transition leads from ${only?.join(' or ')} to ${to}`);
  const { list, values } = listOf('from', from);
  return { condition: `#status IN (${list})`, values };
}

export const isRunning = '#status = :running';
export const isNotCancelled = 'attribute_not_exists(#cancelRequested)';
/** A late write must not take back a newer heartbeat of another process. */
export const isLatestHeartbeat = '#heartbeatAtMs <= :nowMs';

/**
 * The condition that the lease still holds the row: it is running, and no other claim was made since.
 * `recordsSeen` adds that no target has reported since. `holdsLease` says the same of a row that was read.
 */
export const underLease = ({
  claimId,
  fence,
  recordsSeen,
}: Pick<Lease, 'claimId' | 'fence' | 'recordsSeen'>): { condition: string; values: Row } => {
  const isHolder = `${isRunning} AND #claimId = :claimId AND #fence = :fence`;
  const values = { ':running': 'running', ':claimId': claimId, ':fence': fence };
  if (recordsSeen === undefined) return { condition: isHolder, values };
  return {
    condition: `${isHolder} AND size(#attempts) = :recordsSeen`,
    values: { ...values, ':recordsSeen': recordsSeen },
  };
};

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
