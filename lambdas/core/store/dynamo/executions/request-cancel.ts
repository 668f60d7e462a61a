import type { Execution } from '../../../domain/execution';
import type { CancelRequest, LeaseOutcome } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { executionRowKey } from './execution-row';
import { isRunning } from './lease-condition';

const isSameFence = '#fence = :seenFence';

/**
 * Key: the execution's. Condition: running under the fence seen. Cost: 1 write unit a KB of the row. Lost
 * race: `lease-lost`, as the attempt has ended. A repeat requests the same again. The holder sees the request
 * at its next heartbeat, or when it would wait for a retry.
 */
export async function requestCancel(
  access: TableAccess,
  seen: Pick<Execution, 'jobKey' | 'execId' | 'fence'>,
  { userRequest, ...request }: CancelRequest,
): Promise<LeaseOutcome> {
  const { clauses, values } = assignments({ cancelRequested: request, userRequest });
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(isRunning, isSameFence),
    UpdateExpression: updateOf({ set: clauses }),
    ExpressionAttributeValues: { ':running': 'running', ':seenFence': seen.fence, ...values },
  });
  return answer.applied ? 'done' : 'lease-lost';
}
