import type { AttemptRecord, DelegatedLease } from '../../../domain/execution';
import type { DelegateOutcome, Lease } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, updateOf } from '../expressions';
import { executionOf, executionRowKey } from './execution-row';
import { isRunning, underLease } from './lease-condition';
import { appendRecords, holdsRecords } from './end-running';
import { readRow } from './read-executions';

/**
 * Key: the execution's. Condition: running under one's own claim and fence. Cost: 1 write unit a KB of the row.
 * Lost race: `lease-lost`; where the row holds an answer to this very fence, its target was faster: `reported`. One's own
 * earlier success is told by the claim.
 */
export async function delegateLease(
  access: TableAccess,
  lease: Lease,
  to: DelegatedLease,
  nowMs: number,
  records: readonly AttemptRecord[],
): Promise<DelegateOutcome> {
  const held = underLease(lease);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(lease),
    ConditionExpression: allOf(isRunning, held.condition),
    UpdateExpression: updateOf({
      set: ['#delegatedTo = :to', '#heartbeatAtMs = :nowMs', ...(records.length > 0 ? [appendRecords] : [])],
    }),
    ExpressionAttributeValues: {
      ...held.values,
      ':running': 'running',
      ':to': to,
      ':nowMs': nowMs,
      ...(records.length > 0 && { ':records': records }),
    },
  });
  if (answer.held) return 'done';
  const row = answer.current ?? (await readRow(access, lease));
  const current = row && executionOf(row);
  const stillHeld = current?.status === 'running' && current.claimId === lease.claimId;
  if (stillHeld) return records.length > 0 && holdsRecords(current, records) ? 'done' : 'lease-lost';
  const isReported = current?.attempts.some(
    ({ fence, outcome }) => fence === lease.fence && outcome !== 'lost',
  );
  return isReported ? 'reported' : 'lease-lost';
}
