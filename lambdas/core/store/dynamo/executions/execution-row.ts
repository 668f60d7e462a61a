import { executionKeyOf, executionRefOf } from '../../../contracts/execution-keys';
import { EXECUTIONS_KEY, FAILURES_KEY } from '../../../contracts/tables';
import type { Execution } from '../../../domain/execution';
import { EXECUTION_STATUSES } from '../../../contracts/execution-statuses';
import type { ExecutionRef } from '../../execution-store';
import type { Row } from '../access';

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
