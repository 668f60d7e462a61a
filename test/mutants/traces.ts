import type { Mutant } from './mutant';

const TRACE = 'lambdas/core/domain/trace.ts';
const TRACE_TEST = 'test/unit/core/domain/trace.test.ts';
const IDS = 'lambdas/core/delivery/trace-ids.ts';
const IDS_TEST = 'test/unit/core/delivery/trace-ids.test.ts';
const TRACES_TEST = 'test/integration/pipeline/traces.test.ts';

export const traceMutants: readonly Mutant[] = [
  {
    name: 'an occurrence that waits for its lock loses the trace that it joins',
    file: 'lambdas/core/gates/wake-execution.ts',
    find: 'row ? undefined : traceJoinedBy(job, waiting.dueAtMs);',
    replace: 'row && traceJoinedBy(job, waiting.dueAtMs);',
    killedBy: 'test/integration/pipeline/traces.test.ts',
    test: 'has waited for an earlier execution',
  },
  {
    name: 'a job that recurs stays in the trace of its creator',
    file: 'lambdas/core/domain/job.ts',
    find: 'return isOnce && dueAtMs',
    replace: 'return dueAtMs',
    killedBy: TRACE_TEST,
  },
  {
    name: 'of two traceparent headers the first counts',
    file: TRACE,
    find: '(?<more>-[^,]*)?$/',
    replace: '(?<more>-[^,]*)?(,.*)?$/',
    killedBy: TRACE_TEST,
  },
  {
    name: 'a trace id of zeros is one',
    file: TRACE,
    find: 'if (isZero(id!) || isZero(parent!)) return undefined;',
    replace: 'if (isZero(parent!)) return undefined;',
    killedBy: TRACE_TEST,
  },
  {
    name: 'targets of one attempt share a span',
    file: IDS,
    find: 'userRetries, fence, target], SPAN_DIGITS',
    replace: 'userRetries, fence], SPAN_DIGITS',
    killedBy: IDS_TEST,
  },
  {
    name: 'a task is not in the trace of its run',
    file: 'lambdas/executor/call-within.ts',
    find: 'deps.traceHeaders(execution, of, index)',
    replace: 'deps.traceHeaders(execution, execution, index)',
    killedBy: TRACES_TEST,
  },
  {
    name: 'a user retry does not join the trace of its request',
    file: 'lambdas/core/domain/user-retry.ts',
    find: '    ...(trace && { trace }),\n',
    replace: '',
    killedBy: TRACES_TEST,
  },
  {
    name: 'a change of a job keeps the trace of the change before',
    file: 'lambdas/api/jobs/job-changes.ts',
    find: 'trace ? { ...job, trace } : job;',
    replace: 'trace ? { ...job, trace } : { ...job, ...(_ && { trace: _ }) };',
    killedBy: TRACES_TEST,
  },
];
