import { HELD_START_MS } from '../../../domain/eligibility';
import type { Execution } from '../../../domain/execution';
import type { LeaseOutcome, ReplacedRun } from '../../execution-store';
import type { WriteOptions } from '../../write-options';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate, type WriteAnswer } from '../conditional-write';
import { allOf, assignments, updateOf } from '../expressions';
import { executionRowKey } from './execution-row';
import { currentExecution } from './read-executions';

const isAsSeen = '#status = :seenStatus AND #fence = :seenFence AND #attempt = :seenAttempt';
const hasNoAttempt = 'size(#attempts) = :none AND attribute_not_exists(#userRetries)';
const wasNotMoved = 'attribute_not_exists(#timesMoved)';
const wasMovedAsSeen = '#timesMoved = :seenMoved';

const movedOnce = ({ timesMoved = 0 }: Pick<Execution, 'timesMoved'>): number => timesMoved + 1;

/** Writes a row that waits for its first attempt, if nothing has claimed, ended or moved it since. */
function moveAsSeen(
  access: TableAccess,
  seen: Execution,
  { set, remove }: { set: Row; remove: readonly string[] },
  options?: WriteOptions,
): Promise<WriteAnswer> {
  const { timesMoved } = seen;
  const changed = assignments({ ...set, timesMoved: movedOnce(seen) });
  return conditionalUpdate(
    access,
    {
      Key: executionRowKey(seen),
      ConditionExpression: allOf(
        isAsSeen,
        hasNoAttempt,
        timesMoved === undefined ? wasNotMoved : wasMovedAsSeen,
      ),
      UpdateExpression: updateOf({ set: changed.clauses, remove }),
      ExpressionAttributeValues: {
        ...changed.values,
        ':seenStatus': seen.status,
        ':seenFence': seen.fence,
        ':seenAttempt': seen.attempt,
        ':none': 0,
        ...(timesMoved !== undefined && { ':seenMoved': timesMoved }),
      },
    },
    options,
  );
}

/** Whether an earlier try of this call has written the row: it was moved once, to this time. */
async function outcomeOf(
  access: TableAccess,
  seen: Execution,
  startAtMs: number,
  answer: WriteAnswer,
): Promise<LeaseOutcome> {
  if (answer.applied) return 'done';
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, seen, answer);
  return current?.timesMoved === movedOnce(seen) && current.startAtMs === startAtMs ? 'done' : 'lease-lost';
}

/** What a user may have given, and not give now. */
const GIVEN = [
  'delayedOf',
  'keyTtlMs',
  'priority',
  'tags',
  'runTags',
  'externalId',
  'deliveryDepth',
  'trace',
  'payload',
  'hasParams',
  'paramsId',
];

/**
 * Key: the run's. Condition: it waits as seen, without an attempt, and was not moved since. Cost: 1 write
 * unit a KB, the payload included. Lost race: `lease-lost`.
 */
export async function replaceDelayed(
  access: TableAccess,
  seen: Execution,
  { startAtMs, payload, ...fields }: ReplacedRun,
  options?: WriteOptions,
): Promise<LeaseOutcome> {
  const to: Row = { ...fields, payload: payload && JSON.stringify(payload) };
  const remove = ['heldAtMs', ...GIVEN.filter((name) => to[name] === undefined)];
  const set = { ...to, startAtMs, dueAtMs: startAtMs };
  return outcomeOf(access, seen, startAtMs, await moveAsSeen(access, seen, { set, remove }, options));
}

/** Key and condition as above. Cost: 1 write unit a KB of the row. Lost race: `lease-lost`. */
export async function suspend(access: TableAccess, seen: Execution, heldAtMs: number): Promise<LeaseOutcome> {
  const set = { heldAtMs, startAtMs: HELD_START_MS };
  return outcomeOf(access, seen, HELD_START_MS, await moveAsSeen(access, seen, { set, remove: [] }));
}

/** Key and condition as above. Cost: 1 write unit a KB of the row. Lost race: `lease-lost`. */
export async function releaseHeld(
  access: TableAccess,
  seen: Execution,
  startAtMs: number,
): Promise<LeaseOutcome> {
  const change = { set: { startAtMs }, remove: ['heldAtMs'] };
  return outcomeOf(access, seen, startAtMs, await moveAsSeen(access, seen, change));
}

const hasEndedAsSeen = '#fence = :seenFence AND #finishedAtMs = :seenFinishedAtMs';

/**
 * Key: the run's. Condition: it has ended as seen. Cost: 1 write unit a KB of the row. Lost race:
 * `lease-lost`, as a user has retried it. A repeat frees it again.
 */
export async function freeKey(access: TableAccess, seen: Execution): Promise<LeaseOutcome> {
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: hasEndedAsSeen,
    UpdateExpression: 'SET #keyFreed = :freed',
    ExpressionAttributeValues: {
      ':seenFence': seen.fence,
      ':seenFinishedAtMs': seen.finishedAtMs,
      ':freed': true,
    },
  });
  return answer.applied ? 'done' : 'lease-lost';
}
