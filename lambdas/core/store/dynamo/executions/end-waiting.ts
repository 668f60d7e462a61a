import type { Execution } from '../../../domain/execution';
import type { Ending, LeaseOutcome } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { changeToEnd } from './end-executions';
import { executionRowKey } from './execution-row';
import { currentExecution } from './read-executions';
import { isBefore } from './transition-condition';

const isAsSeen = '#attempt = :seenAttempt AND #fence = :seenFence';

/**
 * Key: the execution's. Condition: it waits, in the status and for the attempt seen, under the fence seen.
 * Cost: 1 write unit a KB of the row. Lost race: `lease-lost`, as another process has claimed or ended the
 * attempt. If the SDK retried, an earlier try of this call is recognised by its status and time.
 */
export async function endWaiting(
  access: TableAccess,
  seen: Execution,
  ending: Ending,
): Promise<LeaseOutcome> {
  const before = isBefore(ending.status, [seen.status]);
  const change = changeToEnd(seen, ending);
  const { clauses, values } = assignments(change.set);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(before.condition, isAsSeen),
    UpdateExpression: updateOf({ set: clauses, remove: change.remove }),
    ExpressionAttributeValues: {
      ...before.values,
      ...values,
      ':seenAttempt': seen.attempt,
      ':seenFence': seen.fence,
    },
  });
  if (answer.applied) return 'done';
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, seen, answer);
  const isEarlierTry = current?.status === ending.status && current.finishedAtMs === ending.finishedAtMs;
  return isEarlierTry ? 'done' : 'lease-lost';
}
