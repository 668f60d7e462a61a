import type { Mutant } from './mutant';

const STORE = 'lambdas/core/store/dynamo/concurrency/dynamo-concurrency-store.ts';
const CONCURRENCY_KEY = 'lambdas/core/gates/concurrency-key.ts';
const SLOTS = 'lambdas/core/gates/slots.ts';
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
];
