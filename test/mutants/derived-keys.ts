import type { Mutant } from './mutant';

const JOB = 'lambdas/core/domain/job.ts';
const TEST = 'test/integration/pipeline/derived-keys.test.ts';
const LATE = 'test/integration/pipeline/late-decisions.test.ts';
const OF_API = 'test/unit/api/concurrency-keys/concurrency-keys.test.ts';

/** Faults in concurrency keys that payloads complete, and in the rules of such keys. */
export const derivedKeyMutants: readonly Mutant[] = [
  {
    name: 'the payload of a run does not count for its key',
    file: JOB,
    find: 'let value = execution.payload ? execution.payload.value : payload;',
    replace: 'let value = payload;',
    killedBy: TEST,
    test: 'each tenant has 1',
  },
  {
    name: 'all values that no key may have are one',
    file: JOB,
    find: "createHash('sha256').update(text)",
    replace: "createHash('sha256').update(prefix)",
    killedBy: TEST,
    test: 'as its hash',
  },
  {
    name: 'a value makes a key that is too long',
    file: JOB,
    find: 'prefix.length + text.length <= MAX_KEY_LENGTH',
    replace: 'MAX_KEY_LENGTH > 0',
    killedBy: TEST,
    test: 'as its hash',
  },
  {
    name: 'a value that looks like a hash stays as it is',
    file: JOB,
    find: 'text.length !== HASH_LENGTH',
    replace: 'HASH_LENGTH > 0',
    killedBy: TEST,
    test: 'as its hash',
  },
  {
    name: 'an execution without a value calls its target',
    file: 'lambdas/core/delivery/job-templates/render-job.ts',
    find: 'if (keyFault !== undefined) return { fault: keyFault };',
    replace: 'void keyFault;',
    killedBy: TEST,
    test: 'without a value',
  },
  {
    name: 'a key has no limits but its own',
    file: 'lambdas/core/gates/slots.ts',
    find: '(await concurrency.getKey(ref)) ?? ruleAmong(await concurrency.listKeys(ref.userId), ref.concurrencyKey);',
    replace: 'ruleAmong([], ref.concurrencyKey) ?? (await concurrency.getKey(ref));',
    killedBy: TEST,
    test: 'each tenant has 2',
  },
  {
    name: 'the shortest rule counts',
    file: 'lambdas/core/domain/concurrency-key.ts',
    find: '.sort((a, b) => b.name.length - a.name.length)[0]',
    replace: '.sort((a, b) => a.name.length - b.name.length)[0]',
    killedBy: TEST,
    test: 'a longer rule before a shorter one',
  },
  {
    name: 'an occurrence that waits for a derived key is decided as one found late',
    file: 'lambdas/sweeper/recheck-unclaimed.ts',
    find: 'concurrencyKey: concurrencyKeyOf(job),',
    replace:
      'concurrencyKey: job.concurrencyKey && (concurrencyKeyOf(job) ? job.concurrencyKey : undefined),',
    killedBy: LATE,
    test: 'a derived key',
  },
  {
    name: 'an occurrence that a run ends is recorded with the key of the run',
    file: 'lambdas/core/ending/end-by-gates.ts',
    find: 'if (concurrencyKey === undefined || isPlanned(trigger)) return concurrencyKey;',
    replace: 'if (concurrencyKey !== undefined || isPlanned(trigger)) return concurrencyKey;',
    killedBy: TEST,
    test: 'recorded with its own key',
  },
  {
    name: 'a rule is deleted though a job uses it',
    file: JOB,
    find: 'return prefix === undefined ? concurrencyKey : `${prefix}*`;',
    replace: 'return prefix === undefined ? concurrencyKey : `${prefix}`;',
    killedBy: OF_API,
    test: 'stays while one uses it',
  },
];
