import type { AttemptRecord, DelegatedLease } from '../../../domain/execution';
import { type DelegateOutcome, holdsLease, type Lease } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, updateOf } from '../expressions';
import { appendRecords, hasRecords } from './attempt-history';
import { executionRowKey } from './execution-row';
import { isLatestHeartbeat, underLease } from './lease-condition';
import { currentExecution } from './read-executions';

/**
 * Key: the execution's. Condition: running under the caller's claim and fence, and no newer heartbeat. The
 * target may have sent one already: then that one stays.
 * Cost: 1 write unit a KB of the row.
 * Lost race: `lease-lost`, or `reported` if the row has a record of this very fence: its target was faster.
 * An earlier try of this call is recognised by its records.
 */
export async function writeDelegation(
  access: TableAccess,
  lease: Lease,
  to: DelegatedLease,
  nowMs: number,
  records: readonly AttemptRecord[],
): Promise<DelegateOutcome> {
  const { condition, values } = underLease(lease);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(lease),
    ConditionExpression: allOf(condition, isLatestHeartbeat),
    UpdateExpression: updateOf({
      set: ['#delegatedTo = :to', '#heartbeatAtMs = :nowMs', ...(records.length > 0 ? [appendRecords] : [])],
    }),
    ExpressionAttributeValues: {
      ...values,
      ':to': to,
      ':nowMs': nowMs,
      ...(records.length > 0 && { ':records': records }),
    },
  });
  if (answer.applied) return 'done';
  const current = await currentExecution(access, lease, answer);
  if (!current) return 'lease-lost';
  if (holdsLease(current, lease) && (current.heartbeatAtMs ?? 0) > nowMs)
    return writeDelegation(access, lease, to, current.heartbeatAtMs!, records);
  if (holdsLease(current, lease))
    return records.length > 0 && hasRecords(current, records) ? 'done' : 'lease-lost';
  const isReported = current.attempts.some(
    ({ fence, outcome }) => fence === lease.fence && outcome !== 'lost',
  );
  return isReported ? 'reported' : 'lease-lost';
}
