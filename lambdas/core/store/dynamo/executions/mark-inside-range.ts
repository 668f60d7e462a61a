import type { ExecutionRef } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { executionRowKey } from './execution-row';

const exists = 'attribute_exists(#execId)';

/** Key: the execution's. Condition: the row exists. Cost: 1 write unit a KB of the row. */
export async function markInsideRange(access: TableAccess, ref: ExecutionRef): Promise<void> {
  await conditionalUpdate(access, {
    Key: executionRowKey(ref),
    ConditionExpression: exists,
    UpdateExpression: 'SET #insideRange = :insideRange',
    ExpressionAttributeValues: { ':insideRange': true },
  });
}
