import { recordedTraces } from '../../../../lambdas/api/http/recorded-traces';
import type { Sampling } from '../../../../lambdas/core/contracts/otlp';
import { isSampled, traceOfExecution } from '../../../../lambdas/core/delivery/trace-ids';
import { anExecution } from '../../../support/factories';

const SECRET = Buffer.alloc(32, 7);
const samplingOf = (ratio: number, more: Partial<Sampling> = {}): Sampling => ({
  ...{ ratio, maxPerMinute: 2 },
  ...more,
});
const execution = (index: number) =>
  anExecution({ jobKey: 'alice/nightly', execId: `20261201T083000.000Z-${index}` });

const sampledOf = (sampling: Sampling | null, count = 2_000): number[] =>
  Array.from({ length: count }, (_, index) => index).filter((index) =>
    isSampled(traceOfExecution(execution(index), SECRET, sampling)),
  );

test('of traces that begin here, the configured share is recorded', () => {
  expect(sampledOf(null, 50)).toEqual([]);
  expect(sampledOf(samplingOf(0), 50)).toEqual([]);
  expect(sampledOf(samplingOf(1), 50)).toHaveLength(50);
  const quarter = sampledOf(samplingOf(0.25));
  expect(quarter.length / 2_000).toBeCloseTo(0.25, 1);
  // A higher ratio records all that a lower one does: OpenTelemetry calls that consistent.
  expect(sampledOf(samplingOf(0.5))).toEqual(expect.arrayContaining(quarter));
});

test('by the id of the trace alone, so all executions of a trace agree', () => {
  for (const index of sampledOf(samplingOf(0.25), 200)) {
    const task = { ...execution(index), execId: `${execution(index).execId}/load` };
    expect(isSampled(traceOfExecution(task, SECRET, samplingOf(0.25)))).toBe(true);
  }
  expect.hasAssertions();
});

test('neither hidden jobs nor other projects have recorded traces', () => {
  const sampled = (jobKey: string, more: Partial<Sampling> = {}) =>
    isSampled(traceOfExecution({ ...execution(1), jobKey }, SECRET, samplingOf(1, more)));
  expect(sampled('alice/nightly')).toBe(true);
  expect(sampled('alice/~n-ops')).toBe(false);
  expect(sampled('alice/nightly', { projects: ['bob'] })).toBe(false);
  expect(sampled('alice/nightly', { projects: ['bob', 'alice'] })).toBe(true);
});

test('the flag of a caller stays, whatever the ratio is', () => {
  const trace = { id: '1'.repeat(32), parent: '2'.repeat(16), flags: 1 };
  expect(isSampled(traceOfExecution({ ...execution(1), trace }, SECRET, samplingOf(0)))).toBe(true);
  const unsampled = { ...trace, flags: 0 };
  expect(isSampled(traceOfExecution({ ...execution(1), trace: unsampled }, SECRET, samplingOf(1)))).toBe(
    false,
  );
});

test('a project may have so many recorded traces of callers in a minute, and another project as many', () => {
  let nowMs = 0;
  const mayRecord = recordedTraces(samplingOf(0), { nowMs: () => nowMs });
  expect(['a', 'a', 'a', 'b'].map(mayRecord)).toEqual([true, true, false, true]);
  nowMs = 59_999;
  expect(mayRecord('a')).toBe(false);
  nowMs = 60_000;
  expect(mayRecord('a')).toBe(true);
});
