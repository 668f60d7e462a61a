import type { Mutant } from './mutant';

const EVENT = 'lambdas/watcher/take-event.ts';
const SETTLE = 'lambdas/watcher/settle-errand.ts';
const PROTOCOL = 'test/integration/protocol/errands.test.ts';
const ECS = 'test/integration/protocol/ecs-errands.test.ts';
const ECS_END = 'test/unit/core/delivery/errands/ecs-end.test.ts';
const ECS_CALLS = 'test/unit/core/delivery/errands/ecs.test.ts';
const IDS = 'test/integration/protocol/errand-ids.test.ts';

/** Faults in how ends of errands are learnt, and settled. */
export const errandEndMutants: readonly Mutant[] = [
  {
    name: 'a lost sight raises the number of errands',
    file: SETTLE,
    find: "      errand: 'lost',\n",
    replace: "      errand: 'ended',\n",
    killedBy: PROTOCOL,
    test: 'lost from sight',
  },
  {
    name: 'an event of an earlier errand settles',
    file: EVENT,
    find: 'errandsOf(execution) !== row.count',
    replace: '(errandsOf(execution) !== row.count && false)',
    killedBy: PROTOCOL,
    test: 'of an earlier errand',
  },
  {
    name: 'an event of another resource settles',
    file: EVENT,
    find: ' || !event.isOf(row.resource)',
    replace: '',
    killedBy: PROTOCOL,
    test: 'of another resource',
  },
  {
    name: 'an event of another kind of work settles',
    file: EVENT,
    find: ' || row.type !== event.type',
    replace: '',
    killedBy: PROTOCOL,
    test: 'of another kind',
  },
  {
    name: 'an event of another account settles',
    file: 'lambdas/core/delivery/errands/errand-calls.ts',
    find: 'parts?.accountId !== event.account || parts.region',
    replace: 'parts?.region',
    killedBy: 'test/unit/core/delivery/errands/durable.test.ts',
    test: 'of another account',
  },
  {
    name: 'an event of another region settles',
    file: 'lambdas/core/delivery/errands/errand-calls.ts',
    find: ' || parts.region !== event.region) return undefined;',
    replace: ') return undefined;',
    killedBy: 'test/unit/core/delivery/errands/durable.test.ts',
    test: 'in another region',
  },
  {
    name: 'an execution that was lost from sight ends before its errand is marked',
    file: SETTLE,
    find: `  await deps.errands.loseSight(execution.delegatedTo.errand, deps.clock.nowMs());
`,
    replace: `  deps.clock.sleep(60_000).then(() => deps.errands.loseSight(execution.delegatedTo.errand, deps.clock.nowMs())).catch(() => undefined);
`,
    killedBy: 'test/integration/protocol/errand-writes.test.ts',
    test: 'lost sight',
  },
  {
    name: 'an event without its output settles while its service is throttled',
    file: EVENT,
    find: "    if (!end) return 'put-back';\n",
    replace:
      "    if (!end) return settleErrand(execution, await leaseIn(execution, row, deps), event.end, deps).then(() => 'done');\n",
    killedBy: IDS,
    test: 'too many requests',
  },
  {
    name: 'a lost host is a failed attempt',
    file: SETTLE,
    find: "end.how === 'lost' || (",
    replace: '(',
    killedBy: ECS,
    test: 'costs no retry',
  },
  {
    name: 'what would fail again is tried again',
    file: SETTLE,
    find: 'const isFatal = end.isFatal === true || isFatalFor(attempt.job, end);',
    replace: 'const isFatal = isFatalFor(attempt.job, end);',
    killedBy: ECS,
    test: 'not tried again',
  },
  {
    name: 'a task that is asked to stop ends by its exit code',
    file: 'lambdas/core/delivery/errands/ecs-end.ts',
    find: "  if (code === 'UserInitiated')",
    replace: "  if (code === 'UserInitiated' && !task.containers)",
    killedBy: ECS_END,
    test: 'asked to stop',
  },
  {
    name: 'a container beside that of the errand decides',
    file: 'lambdas/core/delivery/errands/ecs-end.ts',
    find: '  return own === undefined\n',
    replace: '  return own === undefined || all.length > 1\n',
    killedBy: ECS_END,
    test: 'the container that was started',
  },
  {
    name: 'a token that was used with other parameters is a refusal',
    file: 'lambdas/core/delivery/errands/ecs.ts',
    find: 'if (error instanceof ConflictException) return',
    replace: "if (error instanceof ConflictException && error.name === 'x') return",
    killedBy: ECS_CALLS,
    test: 'other parameters',
  },
  {
    name: 'only running tasks are found by their name',
    file: 'lambdas/core/delivery/errands/ecs.ts',
    find: '[DesiredStatus.RUNNING, DesiredStatus.STOPPED]',
    replace: '[DesiredStatus.RUNNING]',
    killedBy: ECS_CALLS,
    test: 'running or stopped',
  },
  {
    name: 'an end waits for its steps as long as they take',
    file: 'lambdas/watcher/ask.ts',
    find: 'STEPS_WITHIN_MS = 2 * SECOND_MS',
    replace: 'STEPS_WITHIN_MS = 200 * SECOND_MS',
    killedBy: 'test/integration/protocol/errand-steps.test.ts',
    test: 'do not hold up',
  },
  {
    name: 'a step that failed once has failed',
    file: 'lambdas/core/delivery/errands/durable-steps.ts',
    find: "state: isStart ? 'open' :",
    replace: "state: known?.state === 'failed' ? 'failed' : isStart ? 'open' :",
    killedBy: 'test/unit/core/delivery/errands/durable-steps.test.ts',
    test: 'tried again',
  },
];
