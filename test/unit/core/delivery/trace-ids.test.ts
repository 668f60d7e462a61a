import {
  spanOfAttempt,
  spanOfExecution,
  traceHeadersOf,
  traceOfExecution,
} from '../../../../lambdas/core/delivery/trace-ids';
import { anExecution } from '../../../support/factories';

const SECRET = Buffer.alloc(32, 7);
const KEYS = { secret: SECRET, sampling: null };
const trace = { id: '1'.repeat(32), parent: '2'.repeat(16), flags: 1, state: 'foo=1' };

test('the same fence has the same bytes; a target, a fence and a user retry have spans of their own', () => {
  const execution = anExecution({ fence: 3 });
  const spans = [
    spanOfExecution(execution, SECRET),
    spanOfExecution({ ...execution, userRetries: 1 }, SECRET),
    spanOfAttempt(execution, 0, SECRET),
    spanOfAttempt(execution, 1, SECRET),
    spanOfAttempt({ ...execution, fence: 4 }, 0, SECRET),
    spanOfAttempt({ ...execution, userRetries: 1 }, 0, SECRET),
    spanOfAttempt(execution, 0, Buffer.alloc(32, 8)),
  ];
  expect(new Set(spans).size).toBe(spans.length);
  expect(spans.every((span) => /^[\da-f]{16}$/.test(span))).toBe(true);
  expect(spanOfAttempt({ ...execution }, 0, SECRET)).toBe(spans[2]);
});

test('a task has the trace of its run, and a span of its own', () => {
  const run = anExecution({ execId: '20261201T083000.000Z' });
  const task = { ...run, execId: `${run.execId}/extract` };
  const own = traceOfExecution(run, SECRET, null);
  expect(own).toEqual({ traceId: expect.stringMatching(/^[\da-f]{32}$/), flags: 0, joined: false });
  expect(traceOfExecution(task, SECRET, null)).toEqual(own);
  expect(spanOfExecution(task, SECRET)).not.toBe(spanOfExecution(run, SECRET));
  const { traceparent, tracestate } = traceHeadersOf(task, { ...run, trace }, 0, KEYS);
  expect(traceparent).toBe(`00-${trace.id}-${spanOfAttempt(task, 0, SECRET)}-01`);
  expect(tracestate).toBe('foo=1');
});

test('without a context the trace is its own, and is not recorded', () => {
  const execution = anExecution();
  const { traceId } = traceOfExecution(execution, SECRET, null);
  const headers = traceHeadersOf(execution, execution, 0, KEYS);
  expect(headers).toEqual({ traceparent: `00-${traceId}-${spanOfAttempt(execution, 0, SECRET)}-00` });
});
