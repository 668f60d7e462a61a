import { FAILURES_KEY } from '../../../contracts/tables';
import type { Execution } from '../../../domain/execution';
import { removedByUserRetry, type UserRetry, userRetryOf } from '../../../domain/user-retry';
import type { LeaseOutcome } from '../../execution-store';
import type { WriteOptions } from '../../write-options';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { executionRowKey } from './execution-row';
import { currentExecution } from './read-executions';
import { isBefore } from './transition-condition';

const hasEndedAsSeen = '#fence = :seenFence AND #finishedAtMs = :seenFinishedAtMs';

/**
 * Key: the execution's. Condition: it has ended as seen, in a status that a user may retry. Attempts begin at
 * 1 again, and the fence keeps rising. Cost: 1 write unit a KB of the row, the payload included. Lost race:
 * `lease-lost`, as another request retried it. If the SDK retried, an earlier try of this call is recognised
 * by its start.
 */
export async function userRetry(
  access: TableAccess,
  seen: Execution,
  retry: UserRetry,
  options?: WriteOptions,
): Promise<LeaseOutcome> {
  const before = isBefore('retrying', [seen.status]);
  const { payload, ...fields } = userRetryOf(seen, retry);
  const waiting = assignments({ ...fields, payload: payload && JSON.stringify(payload) });
  const remove = [...removedByUserRetry(retry), FAILURES_KEY.partition, FAILURES_KEY.sort];
  const answer = await conditionalUpdate(
    access,
    {
      Key: executionRowKey(seen),
      ConditionExpression: allOf(before.condition, hasEndedAsSeen),
      UpdateExpression: updateOf({ set: waiting.clauses, remove }),
      ExpressionAttributeValues: {
        ...before.values,
        ...waiting.values,
        ':seenFence': seen.fence,
        ':seenFinishedAtMs': seen.finishedAtMs,
      },
    },
    options,
  );
  if (answer.applied) return 'done';
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, seen, answer);
  return current?.status === 'retrying' && current.startAtMs === retry.startAtMs ? 'done' : 'lease-lost';
}
