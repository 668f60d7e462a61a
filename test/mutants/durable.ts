import type { Mutant } from './mutant';

const START = 'lambdas/executor/start-errand.ts';
const PROBE = 'lambdas/watcher/probe.ts';
const SETTLE = 'lambdas/watcher/settle-errand.ts';
const DURABLE = 'lambdas/core/delivery/errands/durable.ts';
const DURABLE_TEST = 'test/unit/core/delivery/errands/durable.test.ts';
const REGISTRY = 'lambdas/core/delivery/targets/registry.ts';
const CHECK_TARGET = 'test/unit/core/delivery/targets/check-aws-target.test.ts';
const IDS = 'test/integration/protocol/errand-ids.test.ts';

/** Faults in what executions of durable functions rely on, and in what is new with them. */
export const durableMutants: readonly Mutant[] = [
  {
    name: 'a start is repeated for longer than its service knows the first',
    file: START,
    find: '  clock.nowMs() < row.firstStartAtMs + ERRAND_RULES[row.type].repeatableForMs &&\n',
    replace: '  clock.nowMs() >= 0 &&\n',
    killedBy: IDS,
    test: 'past that day',
  },
  {
    name: 'an errand that its service may have forgotten counts as one that never ran',
    file: PROBE,
    find: 'nowMs < firstStartAtMs + ERRAND_RULES[type].visibleForMs',
    replace: 'nowMs + firstStartAtMs + ERRAND_RULES[type].visibleForMs > 0',
    killedBy: IDS,
    test: 'may have forgotten',
  },
  {
    name: 'an error that is fatal is retried',
    file: SETTLE,
    find: 'const isFatal = end.isFatal === true || isFatalFor(attempt.job, end);',
    replace: 'const isFatal = end.isFatal === true;',
    killedBy: IDS,
    test: 'after the error OutOfStock',
  },
  {
    name: 'a plain function counts as durable',
    file: DURABLE,
    find: "return id === undefined ? notDurable() : { how: 'started', id };",
    replace: "return id === undefined && name === '' ? notDurable() : { how: 'started', ...(id && { id }) };",
    killedBy: DURABLE_TEST,
    test: 'is not durable',
  },
  {
    name: 'an execution whose name begins alike is taken for the errand',
    file: DURABLE,
    find: 'DurableExecutionName === name)',
    replace: 'DurableExecutionName?.startsWith(name))',
    killedBy: DURABLE_TEST,
    test: 'looks for its name',
  },
  {
    name: 'a name that is taken is a refusal',
    file: DURABLE,
    find: "return isTaken ? { how: 'started' } : failedStart(error, signal);",
    replace: 'return failedStart(error, signal);',
    killedBy: DURABLE_TEST,
    test: 'name that is taken',
  },
  {
    name: 'the event of a version is none of its alias',
    file: DURABLE,
    find: 'unqualified(target) === unqualified(inEvent)',
    replace: 'target === inEvent',
    killedBy: DURABLE_TEST,
    test: 'with an alias of the function',
  },
  {
    name: 'a durable function needs no version or alias',
    file: REGISTRY,
    find: '    if (qualifier === undefined)\n',
    replace: "    if (qualifier === '')\n",
    killedBy: CHECK_TARGET,
    test: 'without a version or alias',
  },
  {
    name: 'a durable function is accepted where none is watched',
    file: REGISTRY,
    find: "    if (!errands.includes('durable'))\n",
    replace: "    if (errands.includes('durable') && !errands.includes('durable'))\n",
    killedBy: CHECK_TARGET,
    test: 'where none is watched',
  },
  {
    name: 'a key may be held for longer than its row is kept',
    file: 'lambdas/core/http/job.ts',
    find: '      if (timeout === undefined || workflow || !hasKey) return;\n',
    replace: '      if (timeout === undefined || workflow || !hasKey || hasKey) return;\n',
    killedBy: 'test/unit/api/jobs/bad-definition.test.ts',
    test: 'held for longer',
  },
];
