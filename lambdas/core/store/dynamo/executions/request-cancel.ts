import type { Execution, Reason } from '../../../domain/execution';
import type { LeaseOutcome } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, updateOf } from '../expressions';
import { executionRowKey } from './execution-row';
import { isRunning } from './lease-condition';

const sameFence = '#fence = :seenFence';

/**
 * Key: the execution's. Condition: running under the fence seen. Cost: 1 write unit a KB of the row. Lost race:
 * `lease-lost`, as the attempt has ended. A repeat asks the same again. The holder learns of it at its next heartbeat, or when
 * it would wait for a retry.
 */
export async function requestCancel(
  access: TableAccess,
  seen: Pick<Execution, 'jobKey' | 'execId' | 'fence'>,
  asked: { reason: Reason; atMs: number },
): Promise<LeaseOutcome> {
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(isRunning, sameFence),
    UpdateExpression: updateOf({ set: ['#cancelRequested = :asked'] }),
    ExpressionAttributeValues: { ':running': 'running', ':seenFence': seen.fence, ':asked': asked },
  });
  return answer.held ? 'done' : 'lease-lost';
}
