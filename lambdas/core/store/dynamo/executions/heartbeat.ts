import type { Execution, Progress } from '../../../domain/execution';
import { HEARTBEAT_TIMEOUT_MS } from '../../../domain/lease';
import { type HeartbeatOutcome, holdsLease, type Lease } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { giveUpAfter } from '../give-up-after';
import { executionOf, executionRowKey, isLatestHeartbeat, isNotCancelled, underLease } from './execution-row';
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
export async function heartbeat(
  access: TableAccess,
  lease: Lease,
  nowMs: number,
  progress?: Progress,
): Promise<HeartbeatOutcome> {
  const { condition, values } = underLease(lease);
  const kept = assignments({ progress });
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
          UpdateExpression: updateOf({ set: ['#heartbeatAtMs = :nowMs', ...kept.clauses] }),
          ExpressionAttributeValues: { ...values, ...kept.values, ':nowMs': nowMs },
        },
        { abortSignal },
      ),
  );
  if (answer.applied) return 'done';
  const current = await currentExecution(access, lease, answer);
  if (!current || !holdsLease(current, lease)) return 'lease-lost';
  return current.cancelRequested ? 'cancel-requested' : 'done';
}

/**
 * Key: the execution's. Condition: running under the claim and fence. The executor may hold the lease.
 * Cost: 1 write unit a KB of the row. Lost race: the row is as the other write left it: the caller sees it.
 */
export async function keepProgress(
  access: TableAccess,
  lease: Lease,
  progress: Progress,
): Promise<Execution | undefined> {
  const { condition, values } = underLease(lease);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(lease),
    ConditionExpression: condition,
    UpdateExpression: updateOf({ set: ['#progress = :progress'] }),
    ExpressionAttributeValues: { ...values, ':progress': progress },
    ReturnValues: 'ALL_NEW',
  });
  return answer.applied ? executionOf(answer.row!) : currentExecution(access, lease, answer);
}
