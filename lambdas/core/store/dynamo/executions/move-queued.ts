import type { Execution } from '../../../domain/execution';
import type { ExecutionRef, LeaseOutcome, MovedRun } from '../../execution-store';
import type { WriteOptions } from '../../write-options';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { executionRowKey } from './execution-row';
import { currentExecution } from './read-executions';

const isQueued = '#status = :queued AND #fence = :noFence';
const isNotLater = '#startAtMs <= :startAtMs';

/**
 * Key: the run's. Condition: it has never been claimed or ended (a user retry waits as `retrying`), and does
 * not start later already. Cost: 1 write unit a KB, the payload included. Lost race: `lease-lost`.
 */
export async function moveQueued(
  access: TableAccess,
  ref: ExecutionRef,
  { startAtMs, cause, payload }: MovedRun,
  options?: WriteOptions,
): Promise<LeaseOutcome> {
  const moved = assignments({
    startAtMs,
    dueAtMs: startAtMs,
    cause,
    payload: payload && JSON.stringify(payload),
  });
  const answer = await conditionalUpdate(
    access,
    {
      Key: executionRowKey(ref),
      ConditionExpression: allOf(isQueued, isNotLater),
      UpdateExpression: updateOf({ set: moved.clauses, remove: payload ? [] : ['payload'] }),
      ExpressionAttributeValues: { ...moved.values, ':queued': 'queued', ':noFence': 0 },
    },
    options,
  );
  if (answer.applied) return 'done';
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, ref, answer);
  return current && isMoved(current, cause) ? 'done' : 'lease-lost';
}

const isMoved = (current: Execution, { eventId }: MovedRun['cause']): boolean =>
  current.cause?.type === 'event' && current.cause.eventId === eventId;
