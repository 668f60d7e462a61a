import type { Mutant } from './mutant';

const LONG_CALLS = 'test/integration/pipeline/long-calls.test.ts';
const FAIRNESS = 'test/integration/pipeline/fairness.test.ts';
const POOLS = 'test/template/pools.test.ts';

/** Faults in what keeps slow calls away from the lanes of the priorities. */
export const laneMutants: readonly Mutant[] = [
  {
    name: 'long calls take the lanes of the priorities',
    file: 'lambdas/core/contracts/messages.ts',
    find: "longCall ? 'long' : priority",
    replace: 'longCall ? priority : priority',
    killedBy: LONG_CALLS,
    test: 'pass neither a priority',
  },
  {
    name: 'an executor of a priority calls what may be long by now',
    file: 'lambdas/executor/run-attempt.ts',
    find: "(mayBeLong || execution.trigger === 'task' || !isLongCall(job))",
    replace: '(mayBeLong || execution.attempt > 0)',
    killedBy: LONG_CALLS,
    test: 'raised after its message',
  },
  {
    name: 'the row of a task forgets that it may be long',
    file: 'lambdas/core/attempts/claim.ts',
    find: '  ...(longCall && { longCall }),\n',
    replace: '',
    killedBy: LONG_CALLS,
    test: 'a long task whose message is lost',
  },
  {
    name: 'rechecks do not ask for the backlog of long calls',
    file: 'lambdas/core/queue/backlogs.ts',
    find: "    if (longCall) return ask(pool, 'long');\n",
    replace: '    void longCall;\n',
    killedBy: LONG_CALLS,
    test: 'rechecks send nothing',
  },
  {
    name: 'calls that hold executors are not reported before their end',
    file: 'lambdas/executor/call-meter.ts',
    find: 'this.reportAfter(FIRST_REPORT_AFTER_MS, occupied, of);',
    replace: 'this.reportAfter(1e9 * FIRST_REPORT_AFTER_MS, occupied, of);',
    killedBy: FAIRNESS,
    test: 'at the default timeout',
  },
  {
    name: 'executors move no message of a project above its limit',
    file: 'lambdas/executor/lane-limit.ts',
    find: 'executorsHeld(load, clock.nowMs()) > limit;',
    replace: 'executorsHeld(load, clock.nowMs()) > limit * 1e9;',
    killedBy: FAIRNESS,
    test: 'planned calls of one user',
  },
  {
    name: 'long calls have no executor function of their own',
    file: 'lib/config/pools.ts',
    find: "(lane === 'long') === (calls === 'long')",
    replace: "(lane === 'lowest') === (calls === 'long')",
    killedBy: POOLS,
    test: 'has an executor of its own',
  },
  {
    name: 'a pool named long takes the id of an executor of long calls',
    file: 'lib/constructs/executor-functions.ts',
    find: "`${calls === 'long' ? 'Long' : ''}Executor${suffixOf(pool)}`",
    replace: "`Executor${suffixOf(pool)}${calls === 'long' ? 'Long' : ''}`",
    killedBy: POOLS,
    test: 'no name of a pool',
  },
  {
    name: 'no alarm watches the executor of long calls of a pool',
    file: 'lib/constructs/pool-alarms.ts',
    find: "functionMetric(long, name, 'longExecutor')",
    replace: "functionMetric(short, name, 'longExecutor')",
    killedBy: POOLS,
    test: 'watches the',
  },
  {
    name: 'a local run starts an environment for each function with the same code',
    file: 'local/invoke/invoker.ts',
    find: 'if (alike.every(({ isCold }) => isCold)) ',
    replace: 'if (alike.length > 0) ',
    killedBy: 'test/integration/local/warm-up.test.ts',
  },
];
