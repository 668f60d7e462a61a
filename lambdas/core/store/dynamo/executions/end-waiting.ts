import type { Execution } from '../../../domain/execution';
import type { Ending, LeaseOutcome } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { executionOf, executionRowKey } from './execution-row';
import { changeToEnd } from './end-running';
import { readRow } from './read-executions';
import { isBefore } from './transition-condition';

const waitsAsSeen = '#attempt = :seenAttempt AND #fence = :seenFence';

/**
 * Key: the execution's. Condition: it waits, in the status, for the attempt and after the fence seen.
 * Cost: 1 write unit a KB of the row. Lost race: `lease-lost`, as the attempt was claimed or ended by another; where
 * the SDK tried again, one's own end is told by its status and time.
 */
export async function endWaiting(
  access: TableAccess,
  seen: Execution,
  ending: Ending,
): Promise<LeaseOutcome> {
  const before = isBefore(ending.status, [seen.status]);
  const step = changeToEnd(seen, ending);
  const { clauses, values } = assignments(step.set);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(before.condition, waitsAsSeen),
    UpdateExpression: updateOf({ set: clauses, remove: step.remove }),
    ExpressionAttributeValues: {
      ...before.values,
      ...values,
      ':seenAttempt': seen.attempt,
      ':seenFence': seen.fence,
    },
  });
  if (answer.held) return 'done';
  if (!answer.retried) return 'lease-lost';
  const row = answer.current ?? (await readRow(access, seen));
  const current = row && executionOf(row);
  const isOwn = current?.status === ending.status && current.finishedAtMs === ending.finishedAtMs;
  return isOwn ? 'done' : 'lease-lost';
}
