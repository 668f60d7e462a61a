import type { AttemptRecord } from '../../../domain/execution';
import type { ExecutionRef } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, anyOf, updateOf } from '../expressions';
import { executionRowKey } from './execution-row';

const exists = 'attribute_exists(#execId)';
const hasRoom = anyOf('attribute_not_exists(#lateResults)', 'size(#lateResults) < :room');

/**
 * Key: the execution's. Condition: the row exists, and has fewer than `room` late results. Cost: 1 write unit
 * a KB of the row. No stage decides by late results. A retry by the SDK may append the same one twice.
 */
export async function appendLateResult(
  access: TableAccess,
  ref: ExecutionRef,
  result: AttemptRecord,
  room: number,
): Promise<'kept' | 'no-room'> {
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(ref),
    ConditionExpression: allOf(exists, hasRoom),
    UpdateExpression: updateOf({
      set: ['#lateResults = list_append(if_not_exists(#lateResults, :none), :results)'],
    }),
    ExpressionAttributeValues: { ':none': [], ':results': [result], ':room': room },
  });
  return answer.applied ? 'kept' : 'no-room';
}
