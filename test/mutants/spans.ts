import type { Mutant } from './mutant';

const FOLLOWS = 'test/unit/follower/follow-spans.test.ts';
const EXPORT = 'lambdas/exporter/export-spans.ts';
const EXPORTS = 'test/unit/exporter/export-spans.test.ts';
const SPANS = 'test/integration/workflows/spans.test.ts';

/** Faults in the spans of executions. */
export const spanMutants: readonly Mutant[] = [
  {
    name: 'spans that were not sent are passed over',
    file: 'lambdas/follower/write-each.ts',
    find: '      failed = Math.min(failed ?? item.first, item.first);\n',
    replace: '',
    killedBy: FOLLOWS,
    test: 'from the first that was not sent',
  },
  {
    name: 'what never began has spans',
    file: 'lambdas/follower/spans/seen-life.ts',
    find: "  return before.status === 'running' || before.attempt > 1;",
    replace: '  return true;',
    killedBy: FOLLOWS,
    test: 'a user retry that is cancelled before it begins',
  },
  {
    name: 'after a user retry, attempts of before have another span',
    file: 'lambdas/follower/spans/seen-life.ts',
    find: '  if (userRetries === undefined) return attempts;',
    replace: '  if (userRetries === undefined || userRetries > 0) return attempts;',
    killedBy: FOLLOWS,
    test: 'the attempts of before have no second span',
  },
  {
    name: 'a task is in a trace of its own',
    file: 'lambdas/follower/spans/execution-spans.ts',
    find: 'traceOfExecution(executionOf(ref) ?? ref, secret, sampling)',
    replace: 'traceOfExecution(void executionOf ?? ref, secret, sampling)',
    killedBy: SPANS,
    test: 'each span has its parent',
  },
  {
    name: 'a task that starts a child has no span',
    file: 'lambdas/follower/spans/task-spans.ts',
    find: 'if (isSent(task) || isInline(task) ||',
    replace: 'if (isSent(task) || isInline(task) || task.job !== undefined ||',
    killedBy: SPANS,
    test: 'each span has its parent',
  },
  {
    name: 'a collector that does not answer is asked for each message',
    file: EXPORT,
    find: '    if (nowMs < closedUntilMs) return false;\n',
    replace: '',
    killedBy: EXPORTS,
    test: 'costs a batch one request',
  },
  {
    name: 'spans are sent again for ever',
    file: EXPORT,
    find: 'nowMs - madeAtMs > DROPPED_AFTER_MS',
    replace: 'nowMs - madeAtMs > DROPPED_AFTER_MS * 24',
    killedBy: EXPORTS,
    test: 'after an hour spans are dropped',
  },
  {
    name: 'a project decides alone how many traces of callers are recorded',
    file: 'lambdas/api/serve-request.ts',
    find: ' || mayRecord(project)) return trace;',
    replace: ' || mayRecord(project) || true) return trace;',
    killedBy: 'test/integration/pipeline/trace-context.test.ts',
    test: 'beyond the bound of a minute',
  },
];
