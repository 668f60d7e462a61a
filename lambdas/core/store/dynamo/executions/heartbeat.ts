import { HEARTBEAT_TIMEOUT_MS } from '../../../domain/lease';
import { type HeartbeatOutcome, holdsLease, type Lease } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, updateOf } from '../expressions';
import { giveUpAfter } from '../give-up-after';
import { executionRowKey } from './execution-row';
import { isLatestHeartbeat, isNotCancelled, underLease } from './lease-condition';
import { currentExecution } from './read-executions';

/**
 * Key: the execution's. Condition: running under the caller's claim and fence, so a late heartbeat restores
 * no lease; no cancel request; no newer heartbeat. Cost: 1 write unit a KB of the row. Lost race:
 * `lease-lost`, or `cancel-requested` if the lease still holds. Both are final. A newer heartbeat serves as
 * this one: `done`.
 *
 * @param access with a client of its own that makes one try
 * @throws WriteTimeoutError without an answer within 2 s; it says nothing about the lease
 */
export async function heartbeat(access: TableAccess, lease: Lease, nowMs: number): Promise<HeartbeatOutcome> {
  const { condition, values } = underLease(lease);
  const answer = await giveUpAfter(
    access.clock,
    HEARTBEAT_TIMEOUT_MS,
    `heartbeat of ${lease.execId}`,
    (abortSignal) =>
      conditionalUpdate(
        access,
        {
          Key: executionRowKey(lease),
          ConditionExpression: allOf(condition, isNotCancelled, isLatestHeartbeat),
          UpdateExpression: updateOf({ set: ['#heartbeatAtMs = :nowMs'] }),
          ExpressionAttributeValues: { ...values, ':nowMs': nowMs },
        },
        { abortSignal },
      ),
  );
  if (answer.applied) return 'done';
  const current = await currentExecution(access, lease, answer);
  if (!current || !holdsLease(current, lease)) return 'lease-lost';
  return current.cancelRequested ? 'cancel-requested' : 'done';
}
