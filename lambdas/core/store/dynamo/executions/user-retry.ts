import { FAILURES_KEY } from '../../../contracts/tables';
import type { Execution } from '../../../domain/execution';
import { TERMINAL_FIELDS, type UserRetry, userRetryOf } from '../../../domain/user-retry';
import type { LeaseOutcome } from '../../execution-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { executionOf, executionRowKey } from './execution-row';
import { readRow } from './read-executions';
import { isBefore } from './transition-condition';

const endedAsSeen = '#fence = :seenFence AND #finishedAtMs = :seenFinishedAtMs';

const REMOVED = [...TERMINAL_FIELDS, FAILURES_KEY.partition, FAILURES_KEY.sort];

/**
 * Key: the execution's. Condition: it has ended as seen, in a status that may be userRetried. Attempts begin at 1 again, the
 * fence rises on. Cost: 1 write unit a KB of the row. Lost race: `lease-lost`, as another has userRetried it; where the SDK
 * tried again, one's own revival is told by its start.
 */
export async function userRetry(
  access: TableAccess,
  seen: Execution,
  revival: UserRetry,
): Promise<LeaseOutcome> {
  const before = isBefore('retrying', [seen.status]);
  const waiting = assignments(userRetryOf(revival));
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: allOf(before.condition, endedAsSeen),
    UpdateExpression: updateOf({ set: waiting.clauses, remove: REMOVED }),
    ExpressionAttributeValues: {
      ...before.values,
      ...waiting.values,
      ':seenFence': seen.fence,
      ':seenFinishedAtMs': seen.finishedAtMs,
    },
  });
  if (answer.held) return 'done';
  if (!answer.retried) return 'lease-lost';
  const row = answer.current ?? (await readRow(access, seen));
  const current = row && executionOf(row);
  return current?.status === 'retrying' && current.startAtMs === revival.startAtMs ? 'done' : 'lease-lost';
}
