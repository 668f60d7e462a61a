import type { Mutant } from './mutant';

const STORE = 'lambdas/core/store/dynamo/dynamo-concurrency-store.ts';
const CONCURRENCY_KEY = 'lambdas/core/gates/concurrency-key.ts';
const SLOTS = 'lambdas/core/gates/slots.ts';
const RATE = 'lambdas/core/gates/rate.ts';
const START_LOG = 'lambdas/core/domain/start-log.ts';
const WAKE_WAITING = 'lambdas/core/gates/wake-waiting.ts';
const START_LOG_TEST = 'test/unit/core/domain/start-log.test.ts';
const TEST = 'test/integration/pipeline/concurrency.test.ts';

export const concurrencyMutants: readonly Mutant[] = [
  {
    name: 'a slot is taken though another execution has it',
    file: STORE,
    find: "const isFree = 'attribute_not_exists(#takeId)';",
    replace: "const isFree = 'attribute_not_exists(#nothing)';",
    killedBy: TEST,
    test: 'at most 1 executions',
  },
  {
    name: 'an end wakes as many as the slots that were free before it',
    file: CONCURRENCY_KEY,
    find: 'const now = freed.length > 0 ? await deps.concurrency.peek(ref, TICKETS_A_READ) : seen;',
    replace: 'const now = seen;',
    killedBy: TEST,
    test: 'at most 3 executions',
  },
  {
    name: 'messages of one execution take several slots',
    file: SLOTS,
    find: 'const slot = chosenBy(own, unused, limit);',
    replace: 'const slot = unused[Math.floor(Math.random() * unused.length)];',
    killedBy: TEST,
    test: 'at most 3 executions',
  },
  {
    name: 'a start is logged though another one was logged in between',
    file: STORE,
    find: "const isLogAsSeen = '#logId = :seenLogId';",
    replace: "const isLogAsSeen = '#logId <> :seenLogId OR #logId = :seenLogId';",
    killedBy: 'test/conformance/store-on-memory.test.ts',
    test: 'writes the log of starts',
  },
  {
    name: 'an execution whose executor died is counted twice',
    file: START_LOG,
    find: '(one.startId === undefined || one.startId !== startId),',
    replace: 'one.count > 0,',
    killedBy: START_LOG_TEST,
    test: 'does not count an execution twice',
  },
  {
    name: 'a slice counts from its first start on',
    file: START_LOG,
    find: 'return { logId, starts: [...starts.slice(0, -1), { atMs, count: last.count + 1 }] };',
    replace:
      'return { logId, starts: [...starts.slice(0, -1), { atMs: last.atMs, count: last.count + 1 }] };',
    killedBy: START_LOG_TEST,
    test: 'lets no more start',
  },
  {
    name: 'an execution in its slot starts without a count',
    file: RATE,
    find: "if (!rate || (await waiterStateOf(message, deps)) === 'over') return 'go';",
    replace: "return 'go';",
    killedBy: TEST,
    test: 'uses up no start of the rate',
  },
  {
    name: 'the ticket of an earlier life starts a retry by a user',
    file: SLOTS,
    find: "  if (isOfEarlierLife(message, row)) return 'over';\n",
    replace: '',
    killedBy: 'test/unit/core/gates/waiter-state.test.ts',
    test: 'life before a retry',
  },
  {
    name: 'what waits again relies on the ticket of its earlier life',
    file: SLOTS,
    find: 'const hasTicket = ticket !== undefined && !isOfEarlierLife(ticket.message, own);',
    replace: 'const hasTicket = ticket !== undefined;',
    killedBy: 'test/integration/pipeline/derived-keys-of-moved-runs.test.ts',
    test: 'cancelled while it waits',
  },
  {
    name: 'a slot that an earlier life holds does not count as free',
    file: SLOTS,
    find: "if (isTerminal(row.status) || (lifeOf(row) ?? 0) > (holder.userRetries ?? 0)) return 'over';",
    replace: "if (isTerminal(row.status)) return 'over';",
    killedBy: TEST,
    test: 'the slot of an earlier life',
  },
  {
    name: 'what waits for a start comes before its own time',
    file: RATE,
    find: 'startAtMs: Math.max(message.startAtMs, startsAtMs)',
    replace: 'startAtMs: startsAtMs',
    killedBy: TEST,
    test: 'never before its own time',
  },
  {
    name: 'a start wakes nothing for the time of the next one',
    file: WAKE_WAITING,
    find: 'const isForLater = forLater && rate !== undefined && free > 0 && starts <= 0;',
    replace: 'const isForLater = false;',
    killedBy: TEST,
    test: 'no more executions start in any period',
  },
  {
    name: 'an end leaves what waits for the rate to its recheck',
    file: CONCURRENCY_KEY,
    find: 'const forLater = seen.holders.length >= rule.limit;',
    replace: 'const forLater = false;',
    killedBy: TEST,
    test: 'a slot that frees while the rate is used up',
  },
];
