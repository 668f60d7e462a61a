import { HEARTBEAT_TIMEOUT_MS } from '../../../domain/lease';
import type { HeartbeatOutcome, Lease } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, updateOf } from '../expressions';
import { giveUpAfter } from '../give-up-after';
import { executionOf, executionRowKey } from './execution-row';
import { isRunning, nobodyCancels, underLease } from './lease-condition';
import { readRow } from './read-executions';

/**
 * Key: the execution's. Condition: running under one's own claim and fence, so a late heartbeat revives nothing, and nobody
 * has asked to cancel. Cost: 1 write unit a KB of the row. Lost race: `lease-lost`, or `cancel-requested` where the claim is
 * still one's own; both for good. No answer within two seconds: `WriteTimeoutError`, which says nothing about the lease.
 * `access` must have a client of its own that never tries again.
 */
export async function heartbeat(access: TableAccess, lease: Lease, nowMs: number): Promise<HeartbeatOutcome> {
  const held = underLease(lease);
  const answer = await giveUpAfter(
    access.clock,
    HEARTBEAT_TIMEOUT_MS,
    `heartbeat of ${lease.execId}`,
    (abortSignal) =>
      conditionalUpdate(
        access,
        {
          Key: executionRowKey(lease),
          ConditionExpression: allOf(isRunning, held.condition, nobodyCancels),
          UpdateExpression: updateOf({ set: ['#heartbeatAtMs = :nowMs'] }),
          ExpressionAttributeValues: { ...held.values, ':running': 'running', ':nowMs': nowMs },
        },
        { abortSignal },
      ),
  );
  if (answer.held) return 'done';
  const row = answer.current ?? (await readRow(access, lease));
  const current = row && executionOf(row);
  const isOwn =
    current?.status === 'running' && current.claimId === lease.claimId && current.fence === lease.fence;
  return isOwn && current.cancelRequested ? 'cancel-requested' : 'lease-lost';
}
