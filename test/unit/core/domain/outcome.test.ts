import type { AttemptRecord } from '../../../../lambdas/core/domain/execution';
import { type AttemptState, decideOutcome, type Outcome } from '../../../../lambdas/core/domain/outcome';
import { aTarget } from '../../../support/factories';

const FENCE = 3;
const record = (target: number, outcome: AttemptRecord['outcome'], fence = FENCE): AttemptRecord => ({
  attempt: 1,
  fence,
  startedAtMs: 0,
  finishedAtMs: 1,
  outcome,
  target,
});
const single = { targets: undefined };
const three = { targets: [aTarget(), aTarget(), aTarget()] };
const delegated = (...targets: number[]) => ({ heartbeatWithinMs: 1, endsAtMs: 2, targets });

/** An attempt of a job with one target, before anything has come back. */
const state = (
  change: Partial<Omit<AttemptState, 'execution'>> & Partial<AttemptState['execution']>,
): AttemptState => {
  const { attempts = [], fence = FENCE, delegatedTo, ...rest } = change;
  return {
    execution: { attempts, fence, delegatedTo },
    job: single,
    records: [],
    accepted: [],
    isReport: false,
    cancelRequested: false,
    ...rest,
  };
};

const succeeded: Outcome = { decision: 'end', status: 'succeeded' };
const failed = (reason: 'fatal' | 'blocked-target' | 'bad-input'): Outcome => ({
  decision: 'end',
  status: 'failed',
  reason,
});

describe('one target', () => {
  test.each<[string, Parameters<typeof state>[0], Outcome]>([
    ['succeeded', { records: [record(0, 'succeeded')] }, succeeded],
    ['failed for good', { records: [record(0, 'fatal')] }, failed('fatal')],
    [
      'refused by the policy',
      { records: [record(0, 'fatal')], reason: 'blocked-target' },
      failed('blocked-target'),
    ],
    ['not rendered', { records: [record(0, 'fatal')], reason: 'bad-input' }, failed('bad-input')],
    ['failed, and may be retried', { records: [record(0, 'retriable')] }, { decision: 'retry' }],
    ['accepted with 202', { accepted: [0] }, { decision: 'delegate', waiting: [0] }],
    ['reported success', { records: [record(0, 'succeeded')], isReport: true }, succeeded],
    ['reported failure', { records: [record(0, 'retriable')], isReport: true }, { decision: 'retry' }],
    [
      'the job was deleted meanwhile, and it succeeded',
      { job: undefined, records: [record(0, 'succeeded')] },
      succeeded,
    ],
    [
      'the job was deleted meanwhile, and it failed',
      { job: undefined, records: [record(0, 'retriable')] },
      { decision: 'end', status: 'cancelled', reason: 'deleted' },
    ],
    [
      'the job was deleted meanwhile, and it failed for good',
      { job: undefined, records: [record(0, 'fatal')] },
      failed('fatal'),
    ],
    [
      'the job was deleted meanwhile, and the target accepted',
      { job: undefined, accepted: [0] },
      { decision: 'end', status: 'cancelled', reason: 'deleted' },
    ],
  ])('%s', (_, change, expected) => {
    expect(decideOutcome(state(change))).toEqual(expected);
  });
});

describe('a request to cancel', () => {
  test.each<[string, Parameters<typeof state>[0], Outcome]>([
    ['stops a retry', { records: [record(0, 'retriable')] }, { decision: 'cancel' }],
    ['takes precedence over a failure for good', { records: [record(0, 'fatal')] }, { decision: 'cancel' }],
    ['cancels an attempt that was only accepted', { accepted: [0] }, { decision: 'cancel' }],
    ['comes too late for a success', { records: [record(0, 'succeeded')] }, succeeded],
    [
      'comes too late only if all targets have succeeded',
      { job: three, records: [record(0, 'succeeded'), record(1, 'retriable'), record(2, 'succeeded')] },
      { decision: 'cancel' },
    ],
  ])('%s', (_, change, expected) => {
    expect(decideOutcome(state({ ...change, cancelRequested: true }))).toEqual(expected);
  });
});

describe('several targets', () => {
  const ok = (target: number) => record(target, 'succeeded');
  const again = (target: number) => record(target, 'retriable');
  test.each<[string, Parameters<typeof state>[0], Outcome]>([
    ['all succeeded', { records: [ok(0), ok(1), ok(2)] }, succeeded],
    ['one is to be retried', { records: [ok(0), again(1), ok(2)] }, { decision: 'retry' }],
    ['one failed for good', { records: [ok(0), record(1, 'fatal'), again(2)] }, failed('fatal')],
    ['one accepted', { records: [ok(0), ok(1)], accepted: [2] }, { decision: 'delegate', waiting: [2] }],
    [
      'one accepted, one is to be retried: wait for the first',
      { records: [ok(0), again(1)], accepted: [2] },
      { decision: 'delegate', waiting: [2] },
    ],
    [
      'one failed for good, another had accepted: the execution ends at once',
      { records: [record(0, 'fatal')], accepted: [1, 2] },
      failed('fatal'),
    ],
    [
      'a report before the executor has decided is noted',
      { records: [ok(1)], isReport: true },
      { decision: 'note' },
    ],
    [
      'a target that reported before the executor decided is not waited for',
      { attempts: [ok(2)], records: [ok(0), ok(1)], accepted: [2] },
      succeeded,
    ],
    [
      'a report while other targets are at work is noted',
      { delegatedTo: delegated(1, 2), attempts: [ok(0)], records: [ok(1)], isReport: true },
      { decision: 'note' },
    ],
    [
      'the last report ends the execution',
      { delegatedTo: delegated(1, 2), attempts: [ok(0), ok(1)], records: [ok(2)], isReport: true },
      succeeded,
    ],
    [
      'the last report, after one of a failure: retry',
      { delegatedTo: delegated(1, 2), attempts: [ok(0), again(1)], records: [ok(2)], isReport: true },
      { decision: 'retry' },
    ],
    [
      'a report of a failure for good does not wait for the others',
      { delegatedTo: delegated(1, 2), attempts: [ok(0)], records: [record(1, 'fatal')], isReport: true },
      failed('fatal'),
    ],
    [
      'records of an earlier attempt do not count',
      { attempts: [record(1, 'retriable', FENCE - 1)], records: [ok(1)] },
      succeeded,
    ],
  ])('%s', (_, change, expected) => {
    expect(decideOutcome(state({ job: three, ...change }))).toEqual(expected);
  });
});
