import type { AttemptRecord } from '../../../domain/execution';
import type { Lease, LeaseOutcome } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { updateOf } from '../expressions';
import { executionRowKey } from './execution-row';
import { underLease } from './lease-condition';
import { appendRecords, hasRecords } from './attempt-history';
import { currentExecution } from './read-executions';

/**
 * Key: the execution's. Condition: running under the claim and fence, with as many records as were seen.
 * Cost: 1 write unit a KB of the row. Lost race: `lease-lost`, if the attempt has ended or another report
 * came first. An earlier try of this call is recognised by its record.
 */
export async function appendReport(
  access: TableAccess,
  lease: Lease,
  record: AttemptRecord,
): Promise<LeaseOutcome> {
  const { condition, values } = underLease(lease);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(lease),
    ConditionExpression: condition,
    UpdateExpression: updateOf({ set: [appendRecords] }),
    ExpressionAttributeValues: { ...values, ':records': [record] },
  });
  if (answer.applied) return 'done';
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, lease, answer);
  return current && hasRecords(current, [record]) ? 'done' : 'lease-lost';
}
