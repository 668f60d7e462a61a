import { type Execution, isPlanned } from '../../../domain/execution';
import type { ClaimRequest } from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, anyOf, assignments, updateOf } from '../expressions';
import { executionOf, executionRowKey } from './execution-row';
import { currentExecution } from './read-executions';
import { isBefore } from './transition-condition';

const isNew = 'attribute_not_exists(#execId)';
const waits = isBefore('running');
const mayStart = anyOf('attribute_not_exists(#startAtMs)', '#startAtMs <= :nowMs');
const waitsForThisAttempt = allOf(waits.condition, '#attempt = :attempt', mayStart);
/**
 * After a user retry, attempts begin at 1 again: the message of an earlier life may have the number of an
 * attempt of this one.
 */
const isFirstLife = 'attribute_not_exists(#userRetries)';
const isSameLife = '#userRetries = :userRetries';

/** What each claim writes. */
const leaseOf = ({ attempt, claimId, nowMs, ...rest }: ClaimRequest): Row => ({
  status: 'running',
  attempt,
  claimId,
  claimedAtMs: nowMs,
  heartbeatAtMs: nowMs,
  orderingKey: rest.orderingKey,
  occupiesJob: rest.occupiesJob,
  concurrencyKey: rest.concurrencyKey,
  lane: rest.lane,
  runEndsAtMs: rest.runEndsAtMs,
  delegatedTo: rest.delegatedTo,
  worker: rest.worker,
  detail: rest.detail,
});

/** What only the first claim of a row writes. */
const firstClaimOf = ({ trigger, dueAtMs, askedAtMs, nowMs, revision }: ClaimRequest): Row => ({
  trigger,
  dueAtMs,
  revision,
  failures: 0,
  takeovers: 0,
  attempts: [],
  startedAtMs: nowMs,
  latenessMs: Math.max(0, nowMs - (askedAtMs ?? dueAtMs)),
});

/**
 * Key: the execution's. Condition: the row is absent (first attempt of an occurrence), or it waits for
 * exactly this attempt of this life and may start by now. A manual run always has a row. A task has none
 * before its first claim. Cost: 1 write unit, and no read.
 * Lost race: `refused`. A claim by an earlier try of this call is recognised by its claim id. The row is read
 * for that (1 read unit) only if the SDK retried and DynamoDB did not return the row.
 */
export async function claim(
  access: TableAccess,
  request: ClaimRequest,
): Promise<{ outcome: 'claimed'; execution: Execution } | { outcome: 'refused'; current?: Execution }> {
  const { userRetries } = request;
  const isBornByClaim = isPlanned(request.trigger) || request.trigger === 'task';
  const mayBeNew = request.attempt === 1 && isBornByClaim && userRetries === undefined;
  const waitsForIt = allOf(waitsForThisAttempt, userRetries === undefined ? isFirstLife : isSameLife);
  const lease = assignments(leaseOf(request));
  const first = assignmentsIfAbsent(firstClaimOf(request));
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(request),
    ConditionExpression: mayBeNew ? anyOf(isNew, waitsForIt) : waitsForIt,
    UpdateExpression: updateOf({
      set: [...lease.clauses, ...first.clauses, '#fence = if_not_exists(#fence, :noFence) + :one'],
      remove: ['startAtMs'],
    }),
    ExpressionAttributeValues: {
      ...waits.values,
      ...lease.values,
      ...first.values,
      ':noFence': request.fenceBase ?? 0,
      ':one': 1,
      ':nowMs': request.nowMs,
      ...(userRetries !== undefined && { ':userRetries': userRetries }),
    },
    ReturnValues: 'ALL_NEW',
  });
  if (answer.applied) return { outcome: 'claimed', execution: executionOf(answer.row!) };

  const isKnown = answer.current !== undefined || answer.retried;
  const current = isKnown ? await currentExecution(access, request, answer) : undefined;
  // `holdsLease` asks for the fence too, which the caller of an earlier try does not know.
  const isEarlierTry = current?.status === 'running' && current.claimId === request.claimId;
  return isEarlierTry ? { outcome: 'claimed', execution: current } : { outcome: 'refused', current };
}

function assignmentsIfAbsent(attributes: Row): { clauses: string[]; values: Row } {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return {
    clauses: given.map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`),
    values: Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
  };
}
