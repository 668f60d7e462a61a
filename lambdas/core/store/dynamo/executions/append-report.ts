import type { AttemptRecord } from '../../../domain/execution';
import type { Lease, LeaseOutcome } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, updateOf } from '../expressions';
import { executionOf, executionRowKey } from './execution-row';
import { isRunning, underLease } from './lease-condition';
import { appendRecords, holdsRecords } from './end-running';
import { readRow } from './read-executions';

/**
 * Key: the execution's. Condition: running under the claim and fence, with as many records as were seen.
 * Cost: 1 write unit a KB of the row. Lost race: `lease-lost`, be it to the end of the attempt or to another report.
 * One's own earlier success is told by the record.
 */
export async function appendReport(
  access: TableAccess,
  lease: Lease,
  record: AttemptRecord,
): Promise<LeaseOutcome> {
  const held = underLease(lease);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(lease),
    ConditionExpression: allOf(isRunning, held.condition),
    UpdateExpression: updateOf({ set: [appendRecords] }),
    ExpressionAttributeValues: { ...held.values, ':running': 'running', ':records': [record] },
  });
  if (answer.held) return 'done';
  if (!answer.retried) return 'lease-lost';
  const row = answer.current ?? (await readRow(access, lease));
  return row && holdsRecords(executionOf(row), [record]) ? 'done' : 'lease-lost';
}
