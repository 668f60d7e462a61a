import type { ExecutionRef, LeaseOutcome } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { updateOf } from '../expressions';
import { executionRowKey } from './execution-row';

const blocks = 'attribute_exists(#blocksKey)';

/** Key: the execution's. Condition: it blocks its ordering key. Cost: 1 write unit a KB of the row. */
export async function unblock(access: TableAccess, ref: ExecutionRef): Promise<LeaseOutcome> {
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(ref),
    ConditionExpression: blocks,
    UpdateExpression: updateOf({ remove: ['blocksKey'] }),
  });
  return answer.applied || answer.retried ? 'done' : 'lease-lost';
}
