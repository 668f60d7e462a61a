import {
  type AttemptRecord,
  type DelegatedLease,
  type Execution,
  isPlanned,
} from '../../../domain/execution';
import {
  type ClaimRequest,
  type DelegateOutcome,
  type ExecutionRef,
  type ToErrand,
  holdsLease,
  type Lease,
  type LeaseOutcome,
} from '../../execution-store';
import type { HeldWrite } from '../../write-options';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, anyOf, assignments, updateOf } from '../expressions';
import {
  appendRecords,
  executionOf,
  executionRowKey,
  hasRecords,
  isBefore,
  isLatestHeartbeat,
  underLease,
} from './execution-row';
import { currentExecution } from './read-executions';

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
const wasNotMoved = 'attribute_not_exists(#timesMoved)';
const isSameMove = '#timesMoved = :timesMoved';

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
  openErrand: rest.openErrand,
});

/** What only the first claim of a row writes. */
const firstClaimOf = ({ trigger, dueAtMs, askedAtMs, nowMs, revision, trace }: ClaimRequest): Row => ({
  trigger,
  dueAtMs,
  revision,
  trace,
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
  options?: HeldWrite,
): Promise<{ outcome: 'claimed'; execution: Execution } | { outcome: 'refused'; current?: Execution }> {
  const { userRetries, timesMoved } = request;
  const { trigger } = request;
  const mayHaveMoved = trigger === 'manual' || trigger === 'event';
  const isBornByClaim = isPlanned(trigger) || trigger === 'task' || trigger === 'ping';
  const mayBeNew = request.attempt === 1 && isBornByClaim && userRetries === undefined;
  const waitsForIt = allOf(
    waitsForThisAttempt,
    userRetries === undefined ? isFirstLife : isSameLife,
    ...(mayHaveMoved ? [timesMoved === undefined ? wasNotMoved : isSameMove] : []),
  );
  const lease = assignments(leaseOf(request));
  const first = assignmentsIfAbsent(firstClaimOf(request));
  const update = {
    Key: executionRowKey(request),
    ConditionExpression: mayBeNew ? anyOf(isNew, waitsForIt) : waitsForIt,
    UpdateExpression: updateOf({
      set: [...lease.clauses, ...first.clauses, '#fence = if_not_exists(#fence, :noFence) + :one'],
      remove: ['startAtMs', 'progress'],
    }),
    ExpressionAttributeValues: {
      ...waits.values,
      ...lease.values,
      ...first.values,
      ':noFence': request.fenceBase ?? 0,
      ':one': 1,
      ':nowMs': request.nowMs,
      ...(userRetries !== undefined && { ':userRetries': userRetries }),
      ...(mayHaveMoved && timesMoved !== undefined && { ':timesMoved': timesMoved }),
    },
    ReturnValues: 'ALL_NEW',
  } as const;
  const answer = await conditionalUpdate(access, update, options);
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

/**
 * Key: the execution's. Condition: running under the caller's claim and fence, and no newer heartbeat. The
 * target may have sent one already: then that one stays.
 * Cost: 1 write unit a KB of the row.
 * Lost race: `lease-lost`, or `reported` if the row has a record of this very fence: its target was faster.
 * An earlier try of this call is recognised by its records.
 */
export async function writeDelegation(
  access: TableAccess,
  lease: Lease,
  to: DelegatedLease,
  nowMs: number,
  records: readonly AttemptRecord[],
): Promise<DelegateOutcome> {
  const { condition, values } = underLease(lease);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(lease),
    ConditionExpression: allOf(condition, isLatestHeartbeat),
    UpdateExpression: updateOf({
      set: ['#delegatedTo = :to', '#heartbeatAtMs = :nowMs', ...(records.length > 0 ? [appendRecords] : [])],
    }),
    ExpressionAttributeValues: {
      ...values,
      ':to': to,
      ':nowMs': nowMs,
      ...(records.length > 0 && { ':records': records }),
    },
  });
  if (answer.applied) return 'done';
  const current = await currentExecution(access, lease, answer);
  if (!current) return 'lease-lost';
  if (holdsLease(current, lease) && (current.heartbeatAtMs ?? 0) > nowMs)
    return writeDelegation(access, lease, to, current.heartbeatAtMs!, records);
  if (holdsLease(current, lease))
    return records.length > 0 && hasRecords(current, records) ? 'done' : 'lease-lost';
  const isReported = current.attempts.some(
    ({ fence, outcome }) => fence === lease.fence && outcome !== 'lost',
  );
  return isReported ? 'reported' : 'lease-lost';
}

const isAsLeft = '#status = :seenStatus AND #fence = :seenFence AND #attempt = :seenAttempt';
const isSameHeartbeat = '#heartbeatAtMs = :seenHeartbeatAtMs';

/**
 * Key: the execution's. Condition: status, fence and attempt as seen; of a stale lease, the heartbeat too.
 * Cost: 1 write unit a KB of the row. Lost race: `lease-lost`. An earlier try of this call is recognised by
 * its claim.
 */
export async function leaveToErrand(
  access: TableAccess,
  seen: Execution,
  { claimId, delegatedTo, nowMs, records, isStale, detail, userRequest }: ToErrand,
): Promise<LeaseOutcome> {
  const taken = assignments({
    status: 'running',
    claimId,
    fence: seen.fence + 1,
    // The attempt before is on record with these.
    attempt: seen.attempt + (records.length > 0 ? 1 : 0),
    claimedAtMs: nowMs,
    heartbeatAtMs: nowMs,
    delegatedTo,
    detail,
    userRequest,
  });
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(seen),
    ConditionExpression: isStale ? allOf(isAsLeft, isSameHeartbeat) : isAsLeft,
    UpdateExpression: updateOf({
      set: records.length > 0 ? [...taken.clauses, appendRecords] : taken.clauses,
      remove: ['startAtMs', 'worker'],
    }),
    ExpressionAttributeValues: {
      ...taken.values,
      ':seenStatus': seen.status,
      ':seenFence': seen.fence,
      ':seenAttempt': seen.attempt,
      ...(isStale && { ':seenHeartbeatAtMs': seen.heartbeatAtMs }),
      ...(records.length > 0 && { ':records': records }),
    },
  });
  if (answer.applied) return 'done';
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, seen, answer);
  return current?.claimId === claimId ? 'done' : 'lease-lost';
}

/**
 * Key: the execution's. Condition: running under the claim and fence, with as many records as were seen.
 * Cost: 1 write unit a KB of the row. Lost race: `lease-lost`, if the attempt has ended or another report
 * came first. An earlier try of this call is recognised by its record.
 */
export async function appendReport(
  access: TableAccess,
  lease: Lease,
  record: AttemptRecord,
): Promise<LeaseOutcome> {
  const { condition, values } = underLease(lease);
  const answer = await conditionalUpdate(access, {
    Key: executionRowKey(lease),
    ConditionExpression: condition,
    UpdateExpression: updateOf({ set: [appendRecords] }),
    ExpressionAttributeValues: { ...values, ':records': [record] },
  });
  if (answer.applied) return 'done';
  if (!answer.retried) return 'lease-lost';
  const current = await currentExecution(access, lease, answer);
  return current && hasRecords(current, [record]) ? 'done' : 'lease-lost';
}

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
