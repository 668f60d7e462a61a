import type { Mutant } from './mutant';

const OVERLAP = 'lambdas/core/gates/overlap.ts';
const OVERLAP_TEST = 'test/integration/pipeline/overlap.test.ts';
const WAKE_IF_DUE = 'lambdas/core/gates/wake-if-due.ts';
const ORDERING_TEST = 'test/integration/pipeline/ordering.test.ts';
const QUEUE = 'lambdas/core/gates/ordering-queue.ts';
const ATTEMPT_ENTRIES = 'lambdas/core/queue/attempt-entries.ts';
const FROZEN = 'test/integration/protocol/frozen-claims.test.ts';
const AFTER_AN_EDIT = 'test/integration/protocol/gates-after-an-edit.test.ts';
const STORE_TEST = 'test/conformance/store-on-memory.test.ts';
const LOCKS = 'lambdas/core/store/dynamo/dynamo-overlap-lock-store.ts';
const WAKE = '  await wakeHolder({ jobKey, execId, row }, job, deps);\n';
const WAKE_EXECUTION = 'lambdas/core/gates/wake-execution.ts';
const CIRCLES = 'test/integration/protocol/circles-of-waits.test.ts';
const RETRIED_CHILDREN = 'test/integration/protocol/retried-children.test.ts';
const REPLACE = 'test/integration/protocol/replace.test.ts';

const PUT_RECHECK =
  '  if (needsEntry(ended, by)) await deps.schedule.putEntries([await recheckEntryNow(execution, deps)]);\n';
const END = '  switch (precondition.kind) {\n';
const END_FIRST = `  if (precondition.kind === 'waiting') {\n    const done = await deps.ends.endWaiting(execution, ending);\n`;

export const gateMutants: readonly Mutant[] = [
  {
    name: 'the overlap lock is never released',
    file: OVERLAP,
    find: '  const [{ jobKey, job }] = ended;\n',
    replace: '  const [{ jobKey, job }] = ended;\n  if (jobKey) return;\n',
    killedBy: OVERLAP_TEST,
  },
  {
    name: 'a lock holder that has ended counts as one',
    file: OVERLAP,
    find: "if (row && (isTerminal(row.status) || (lifeOf(row) ?? 0) > holderRetries)) return 'none';",
    replace: "if (row && (lifeOf(row) ?? 0) > holderRetries) return 'none';\n  void isTerminal;",
    killedBy: OVERLAP_TEST,
  },
  {
    name: 'the overlap lock of a later life is taken for the one that was seen',
    file: LOCKS,
    find: "holderRetries === undefined ? isFirstLife : '#holderRetries = :seenRetries',",
    replace: "holderRetries === undefined ? '#holder = :insteadOf' : '#holderRetries >= :seenRetries',",
    killedBy: STORE_TEST,
    test: 'OverlapLockStore is taken only from the life',
  },
  {
    name: 'a lock holder without a row counts as none after two minutes',
    file: OVERLAP,
    find: `${WAKE}  return 'unclaimed';`,
    replace: `${WAKE}  return 'none';`,
    killedBy: FROZEN,
    test: 'an executor frozen between the overlap lock and its claim',
  },
  {
    name: 'a silent lock holder gets no message again',
    file: OVERLAP,
    find: `${WAKE}  return 'unclaimed';`,
    replace: "  return 'unclaimed';",
    killedBy: FROZEN,
    test: 'a holder whose executor died',
  },
  {
    name: 'a silent lock holder asks for a key that its job has got since',
    file: WAKE_EXECUTION,
    find: 'const orderingKey = (await hasPassedKey(holder, job, deps)) ? job.orderingKey : null;',
    replace: 'const { orderingKey } = job;\n  void hasPassedKey;',
    killedBy: AFTER_AN_EDIT,
    test: 'while a dead executor holds its overlap lock',
  },
  {
    name: 'a holder of a slot or a lock waits for a key that its job has got since',
    file: WAKE_EXECUTION,
    find: '  if (passed.orderingKey === job.orderingKey && passed.concurrencyKey === ofJob) return;\n',
    replace: '  if (passed) return;\n',
    killedBy: AFTER_AN_EDIT,
    test: 'holds its slot',
  },
  {
    name: 'the lock is acquired before a slot',
    file: 'lambdas/core/gates/gates.ts',
    find: '[orderingKeyGate, concurrencyKeyGate, overlapGate]',
    replace: '[orderingKeyGate, overlapGate, concurrencyKeyGate]',
    killedBy: CIRCLES,
    test: 'though an occurrence of it waits for a slot',
  },
  {
    name: 'what waits for its job takes a slot meanwhile',
    file: 'lambdas/core/gates/admission.ts',
    find: 'const closed = gate.isKeptWaiting ? undefined : await firstClosed(later, message, deps);',
    replace: 'const closed = later === gates ? await firstClosed(later, message, deps) : undefined;',
    killedBy: CIRCLES,
    test: 'takes no slot',
  },
  {
    name: 'a date that holds its ordering key leaves the lock to what waits for the key',
    file: OVERLAP,
    find: 'if (hasPassedNoGate(message) && (await leavesLock(message, deps))) return WAIT;',
    replace: 'if (hasPassedNoGate !== undefined && (await leavesLock(message, deps))) return WAIT;',
    killedBy: CIRCLES,
    test: 'a date that waited for the ordering key',
  },
  {
    name: 'a date of a backfill is ahead of all that is due later',
    file: 'lambdas/core/contracts/tickets.ts',
    find: 'return isDate ? `${compactInstant(askedAtMs)}#${sortWithinUserOf(ref)}` : sortWithinUserOf(ref);',
    replace: 'return isDate && ref.execId === "" ? "" : sortWithinUserOf(ref);',
    killedBy: CIRCLES,
    test: 'several dates at once',
  },
  {
    name: 'an execution that waits for a key or a slot has no place at its job',
    file: OVERLAP,
    find: "if (holder === 'self' || (await isFinished(message, deps))) return [];",
    replace: "if (holder === 'self' || holder === 'none' || (await isFinished(message, deps))) return [];",
    killedBy: REPLACE,
    test: 'is ended by each newer one',
  },
  {
    name: '`replace` leaves the stop of a run to its recheck',
    file: 'lambdas/core/ending/cancel-running.ts',
    find: '    await deps.workflows.goOn(run, {}, deps);\n',
    replace: '    await deps.executions.get(run);\n',
    killedBy: REPLACE,
    test: 'a run that waits for a time',
  },
  {
    name: 'an execution that acquires the lock stays in the place beside it',
    file: OVERLAP,
    find: 'if (lock.waiter === execId) await deps.overlapLocks.clearWaiter(jobKey, execId);',
    replace: 'void lock.waiter;',
    killedBy: OVERLAP_TEST,
    test: 'the place beside the lock',
  },
  {
    name: 'the waiter of a released lock is not woken',
    file: OVERLAP,
    find: 'if (current) await wakeWaiter(jobKey, waiter, current, deps);',
    replace: 'void current, wakeWaiter;',
    killedBy: OVERLAP_TEST,
  },
  {
    name: 'the end of an earlier life releases the overlap lock',
    file: LOCKS,
    find: 'ConditionExpression: allOf(isHolder, isRetry ? isSameLife : isFirstLife),',
    replace: 'ConditionExpression: isRetry ? allOf(isHolder, isSameLife) : anyOf(isHolder, isFirstLife),',
    killedBy: STORE_TEST,
    test: 'OverlapLockStore',
  },
  {
    name: 'an earlier life acquires the overlap lock of a later one',
    file: LOCKS,
    find: 'allOf(isHolder, isRetry ? isNoLaterLife : isFirstLife),',
    replace: 'isRetry ? anyOf(isHolder, isNoLaterLife) : isHolder,',
    killedBy: STORE_TEST,
    test: 'OverlapLockStore',
  },
  {
    name: 'a lock is acquired although another execution holds it',
    file: LOCKS,
    find: "'#holder = :insteadOf AND #sinceMs = :seenSinceMs'",
    replace: "'(#holder = :insteadOf AND #sinceMs = :seenSinceMs) OR attribute_exists(#holder)'",
    killedBy: STORE_TEST,
    test: 'OverlapLockStore',
  },
  {
    name: 'the ordering key is acquired although another ticket is ahead',
    file: QUEUE,
    find: "if (state !== 'over' || reads > MAX_READS) return behind(ticket, state, ticket.dueAtMs);",
    replace: "if (state !== 'over' || reads > MAX_READS) return { at: 'first', insteadOf: holder };",
    killedBy: ORDERING_TEST,
  },
  {
    name: 'the ordering key is acquired although its holder has changed',
    file: 'lambdas/core/store/dynamo/dynamo-ordering-store.ts',
    find: "'#acquisitionId = :seenAcquisitionId'",
    replace: "'(#acquisitionId = :seenAcquisitionId OR attribute_exists(#acquisitionId))'",
    killedBy: STORE_TEST,
    test: 'OrderingStore',
  },
  {
    name: 'the next execution of an ordering key is not woken',
    file: WAKE_IF_DUE,
    find: 'if (!isWaiting || startAtMs > deps.clock.nowMs() + CLOCK_SKEW_MS) return;',
    replace: 'if (isWaiting || startAtMs > deps.clock.nowMs() + CLOCK_SKEW_MS) return;',
    killedBy: ORDERING_TEST,
  },
  {
    name: 'a silent execution with the first ticket gets no message again',
    file: QUEUE,
    find: 'if (message) await resendWaiting(message, deps);',
    replace: 'void message;',
    killedBy: ORDERING_TEST,
    test: 'a ticket whose execution has no entry',
  },
  {
    name: 'an attempt meets the gates of an edited job',
    file: ATTEMPT_ENTRIES,
    find: '  if (attempt > 1)\n',
    replace: '  if (attempt > 1_000)\n',
    killedBy: AFTER_AN_EDIT,
    test: 'that gets an ordering key',
  },
  {
    name: 'an execution under another key still blocks its old one',
    file: QUEUE,
    find: "return hasOwn && row.orderingKey !== orderingKey ? 'over' : row;",
    replace: 'return hasOwn && row.orderingKey !== orderingKey ? row : row;',
    killedBy: AFTER_AN_EDIT,
    test: 'runs under its new key',
  },
  {
    name: 'the message of a user retry names no life',
    file: ATTEMPT_ENTRIES,
    find: '  userRetries: execution.userRetries,\n  revision: UNKNOWN_REVISION,',
    replace: '  revision: UNKNOWN_REVISION,',
    killedBy: 'test/integration/protocol/abandoned-writes.test.ts',
    test: 'a user retry that was abandoned',
  },
  {
    name: 'a failure does not block its ordering key',
    file: 'lambdas/core/ending/end-without-follow-ups.ts',
    find: "end.status === 'failed' && orderingKey !== undefined && job?.orderingKey && job.onFailure === 'block';",
    replace:
      "end.status === 'succeeded' && orderingKey !== undefined && job?.orderingKey && job.onFailure === 'block';",
    killedBy: 'test/integration/pipeline/ordering-blocked.test.ts',
  },
  {
    name: 'entry of an end with follow-ups written after the end',
    file: 'lambdas/core/ending/end-without-follow-ups.ts',
    find: `${PUT_RECHECK}${END}`,
    replace: `${END_FIRST}${PUT_RECHECK}    return done;\n  }\n${END}`,
    killedBy: 'test/integration/protocol/order-of-writes.test.ts',
    test: 'end of a gated execution',
  },
  {
    name: 'a user unblocks only what holds the key',
    file: 'lambdas/api/ordering-keys/ordering-keys.ts',
    find: 'holder ? [holder, ...tickets] : tickets',
    replace: 'holder ? [holder] : []',
    killedBy: 'test/integration/protocol/blocked-by-a-ticket.test.ts',
  },
  {
    name: 'a child that its user retries passes no gates',
    file: 'lambdas/core/domain/user-retry.ts',
    find: '    ...(orderingKey !== undefined && { orderingKey }),\n',
    replace: '    ...(orderingKey !== undefined && !ended.parent && { orderingKey }),\n',
    killedBy: RETRIED_CHILDREN,
  },
  {
    name: 'a run waits for a child that waits at its own gates',
    file: 'lambdas/core/ending/runs/begin-child.ts',
    find: 'if (child && waitsByItself(child)) {',
    replace: 'if (child && waitsByItself(child) && tries > TRIES) {',
    killedBy: RETRIED_CHILDREN,
  },
  {
    name: 'a child is retried before its run has marked its end',
    file: 'lambdas/api/executions/retry-execution.ts',
    find: '    await goOnWithParent(execution, deps);\n',
    replace: '    void goOnWithParent;\n',
    killedBy: RETRIED_CHILDREN,
    test: 'is marked before',
  },
];
