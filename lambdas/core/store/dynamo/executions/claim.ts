import { type Execution, isPlanned } from '../../../domain/execution';
import type { ClaimRequest } from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, anyOf, assignments, updateOf } from '../expressions';
import { executionOf, executionRowKey } from './execution-row';
import { readRow } from './read-executions';
import { isBefore } from './transition-condition';

const isNew = 'attribute_not_exists(#execId)';
const waits = isBefore('running');
const waitsForThisAttempt = allOf(waits.condition, '#attempt = :attempt');

/** What each claim writes. */
const leaseOf = ({ attempt, claimId, nowMs, orderingKey, occupiesJob }: ClaimRequest): Row => ({
  status: 'running',
  attempt,
  claimId,
  claimedAtMs: nowMs,
  heartbeatAtMs: nowMs,
  orderingKey,
  occupiesJob,
});

/** What only the first claim of a row writes. */
const birthOf = ({ trigger, dueAtMs, nowMs }: ClaimRequest): Row => ({
  trigger,
  dueAtMs,
  failures: 0,
  takeovers: 0,
  attempts: [],
  startedAtMs: nowMs,
  latenessMs: Math.max(0, nowMs - dueAtMs),
});

/**
 * Key: the execution's. Condition: the row is absent (first attempt of an occurrence; a manual run has a row from its
 * birth), or waits for exactly this attempt. Cost: 1 write unit, and no read.
 * Lost race: `refused`. The claim id tells one's own claim, made by a try whose answer was lost; only then, and where
 * DynamoDB did not hand over the row, is it read (1 read unit).
 */
export async function claim(
  access: TableAccess,
  request: ClaimRequest,
): Promise<{ outcome: 'claimed'; execution: Execution } | { outcome: 'refused'; current?: Execution }> {
  const mayBeNew = request.attempt === 1 && isPlanned(request.trigger);
  const lease = assignments(leaseOf(request));
  const birth = assignmentsIfAbsent(birthOf(request));
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(request),
    ConditionExpression: mayBeNew ? anyOf(isNew, waitsForThisAttempt) : waitsForThisAttempt,
    UpdateExpression: updateOf({
      set: [...lease.clauses, ...birth.clauses, '#fence = if_not_exists(#fence, :noFence) + :one'],
      remove: ['startAtMs'],
    }),
    ExpressionAttributeValues: {
      ...waits.values,
      ...lease.values,
      ...birth.values,
      ':noFence': 0,
      ':one': 1,
    },
    ReturnValues: 'ALL_NEW',
  });
  if (answer.held) return { outcome: 'claimed', execution: executionOf(answer.row!) };

  const row = answer.current ?? (answer.retried ? await readRow(access, request) : undefined);
  const current = row && executionOf(row);
  const isOwn = current?.status === 'running' && current.claimId === request.claimId;
  return isOwn ? { outcome: 'claimed', execution: current } : { outcome: 'refused', current };
}

function assignmentsIfAbsent(attributes: Row): { clauses: string[]; values: Row } {
  const names = Object.keys(attributes);
  return {
    clauses: names.map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
    values: Object.fromEntries(names.map((name) => [`:${name}`, attributes[name]])),
  };
}
