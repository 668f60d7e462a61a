import type { Mutant } from './mutant';

const EXECUTIONS = 'lambdas/core/store/dynamo/executions/';
const CLAIM = `${EXECUTIONS}lease.ts`;
const DEADLINE = 'lambdas/core/store/entry-deadline.ts';
const DEADLINE_TEST = 'test/unit/core/store/entry-deadline.test.ts';
const STORE_TEST = 'test/conformance/store-on-memory.test.ts';

export const storeMutants: readonly Mutant[] = [
  {
    name: 'a claim without a condition',
    file: CLAIM,
    find: 'ConditionExpression: mayBeNew ? anyOf(isNew, waitsForIt) : waitsForIt,',
    replace: 'ConditionExpression: anyOf(isNew, waitsForIt, anyOf("attribute_exists(#execId)")),',
    killedBy: STORE_TEST,
    test: 'ExecutionStore: claim',
  },
  {
    name: 'a claim does not ask which life its message was made for',
    file: CLAIM,
    find: 'userRetries === undefined ? isFirstLife : isSameLife,',
    replace: 'userRetries === undefined ? anyOf(isFirstLife, "#fence >= :noFence") : isSameLife,',
    killedBy: 'test/integration/protocol/frozen-claims.test.ts',
    test: 'a frozen claim of a failed attempt',
  },
  {
    name: 'an attempt may be claimed before its time',
    file: CLAIM,
    find: "const mayStart = anyOf('attribute_not_exists(#startAtMs)', '#startAtMs <= :nowMs');",
    replace:
      "const mayStart = anyOf('attribute_not_exists(#startAtMs)', '#startAtMs <= :nowMs', '#startAtMs > :nowMs');",
    killedBy: STORE_TEST,
    test: 'ExecutionStore: claim',
  },
  {
    name: 'the fence does not rise',
    file: CLAIM,
    find: "'#fence = if_not_exists(#fence, :noFence) + :one'",
    replace: "'#fence = if_not_exists(#fence, :one) + :noFence'",
    killedBy: STORE_TEST,
    test: 'ExecutionStore: claim',
  },
  {
    name: 'the first claim does not keep its revision',
    file: CLAIM,
    find: '  dueAtMs,\n  revision,\n  trace,\n',
    replace: '  dueAtMs,\n  revision: revision && undefined,\n  trace,\n',
    killedBy: STORE_TEST,
    test: 'keeps the revision',
  },
  {
    name: 'its own claim is not recognised after a lost answer',
    file: CLAIM,
    find: "current?.status === 'running' && current.claimId === request.claimId;",
    replace: "current?.status === 'running' && current.claimId === `${request.claimId} of another`;",
    killedBy: STORE_TEST,
  },
  {
    name: 'an end does not ask for the lease',
    file: `${EXECUTIONS}end-executions.ts`,
    find: 'endRunning(access, lease, underLease(lease), changeToEnd(lease, ending), records);',
    replace:
      "endRunning(access, lease, { condition: 'attribute_exists(#execId)', values: {} }, " +
      'changeToEnd(lease, ending), records);',
    killedBy: STORE_TEST,
  },
  {
    name: 'a retry does not see that a cancellation was requested',
    file: `${EXECUTIONS}end-executions.ts`,
    find: 'const uncancelled = { condition: allOf(condition, isNotCancelled), values };',
    replace:
      'const uncancelled = { condition: allOf(condition, allOf(condition) || isNotCancelled), values };',
    killedBy: STORE_TEST,
  },
  {
    name: 'a takeover does not ask for the heartbeat seen',
    file: `${EXECUTIONS}end-executions.ts`,
    find: "'#heartbeatAtMs = :seenHeartbeatAtMs'",
    replace: "'#heartbeatAtMs = :seenHeartbeatAtMs OR attribute_exists(#heartbeatAtMs)'",
    killedBy: STORE_TEST,
    test: 'ExecutionStore: takeover',
  },
  {
    name: 'a late heartbeat takes back a newer one',
    file: `${EXECUTIONS}execution-row.ts`,
    find: "'#heartbeatAtMs <= :nowMs'",
    replace: "'(#heartbeatAtMs <= :nowMs OR #heartbeatAtMs > :nowMs)'",
    killedBy: STORE_TEST,
  },
  {
    name: 'cursors move from wherever they are',
    file: 'lambdas/core/store/dynamo/cursors.ts',
    find: 'isAsSeen: `#${name}.#minute = :${name}minute AND #${name}.#after = :${name}after`,',
    replace:
      'isAsSeen: `(#${name}.#minute = :${name}minute AND #${name}.#after = :${name}after) ' +
      'OR attribute_exists(#${name})`,',
    killedBy: STORE_TEST,
  },
  {
    name: 'a batch of entries is not given up',
    file: 'lambdas/core/store/dynamo/batch-put.ts',
    find: 'withinMs: number = WRITE_DEADLINE_MS,',
    replace: 'withinMs: number = WRITE_DEADLINE_MS * 100,',
    killedBy: 'test/unit/core/store/dynamo/no-answer.test.ts',
  },
  {
    name: 'an entry that is given up is not aborted',
    file: 'lambdas/core/store/dynamo/batch-put.ts',
    find: 'new PutCommand({ TableName: access.table, Item: only }), { abortSignal });',
    replace: 'new PutCommand({ TableName: access.table, Item: only }));',
    killedBy: 'test/unit/core/store/dynamo/no-answer.test.ts',
    test: 'has the SDK try one entry no more',
  },
  {
    name: 'entries are sent although no time is left for them',
    file: 'lambdas/core/store/dynamo/batch-put.ts',
    find: 'if (withinMs <= 0) throw new WriteTimeoutError(',
    replace: 'if (withinMs < 0) throw new WriteTimeoutError(',
    killedBy: 'test/unit/core/store/dynamo/no-answer.test.ts',
    test: 'does not begin to write',
  },
  {
    name: 'entries that were stamped too long ago are written',
    file: DEADLINE,
    find: "if (leftMs <= 0) throw new WriteTimeoutError('entries were stamped too long ago to be written');",
    replace: 'void WriteTimeoutError;',
    killedBy: DEADLINE_TEST,
  },
  {
    name: 'entries are given up ten seconds after the call, not after their time',
    file: DEADLINE,
    find: 'return schedule.putEntries(entries, Math.min(withinMs, leftMs));',
    replace: 'return schedule.putEntries(entries, withinMs);',
    killedBy: DEADLINE_TEST,
  },
  {
    name: 'the deadline of entries counts from the last one',
    file: DEADLINE,
    find: 'const firstMs = Math.min(...entries.map(({ checkAtMs }) => checkAtMs));',
    replace: 'const firstMs = Math.max(...entries.map(({ checkAtMs }) => checkAtMs));',
    killedBy: DEADLINE_TEST,
  },
  {
    name: 'a lost write of one use ends the request while other uses are written',
    file: 'lambdas/core/store/dynamo/dynamo-uses-store.ts',
    find: '    await allEnded(\n',
    replace: '    await Promise.all(\n',
    killedBy: 'test/unit/core/store/dynamo/writes-under-way.test.ts',
  },
  {
    name: 'an alert is written over one that was not seen',
    file: 'lambdas/core/store/dynamo/dynamo-alert-store.ts',
    find: 'ConditionExpression: seenVersion === undefined ? isNew : isAsSeen,',
    replace:
      'ConditionExpression: `${seenVersion === undefined ? isNew : isAsSeen} OR attribute_exists(#version)`,',
    killedBy: 'test/integration/pipeline/at-once.test.ts',
    test: 'two sweepers',
  },
];
