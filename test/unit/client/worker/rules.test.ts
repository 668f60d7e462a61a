import { leaseRulesOf, type LeaseState, nextLeaseStep } from '../../../../client/worker/lease-rules';
import { durationMs } from '../../../../client/worker/duration';
import { FatalError, ReleaseError, RetryAfter } from '../../../../client/worker/errors';
import { elapsedMs, isPast, later, type Moment } from '../../../../client/worker/moment';
import { reportOf } from '../../../../client/worker/outcome';
import { flushAfterMs } from '../../../../client/worker/log-sender';

const MINUTE = { heartbeatTimeoutMs: 60_000, attemptTimeoutMs: 300_000, graceMs: 5_000 };

describe('the times of a lease', () => {
  test.each<[string, Partial<typeof MINUTE>, object]>([
    [
      'leave the grace and two seconds',
      {},
      { graceMs: 5_000, keepsForMs: 53_000, heartbeatEveryMs: 20_000, worksForMs: 293_000 },
    ],
    [
      'fit the shortest time-out',
      { heartbeatTimeoutMs: 15_000 },
      { graceMs: 5_000, keepsForMs: 8_000, heartbeatEveryMs: 4_000 },
    ],
    [
      'bound the grace by a third',
      { heartbeatTimeoutMs: 15_000, graceMs: 60_000 },
      { graceMs: 5_000, keepsForMs: 8_000 },
    ],
    ['keep back a quarter of a short attempt', { attemptTimeoutMs: 10_000 }, { worksForMs: 7_500 }],
  ])('%s', (_, given, expected) => {
    expect(leaseRulesOf({ ...MINUTE, ...given })).toMatchObject(expected);
  });

  const rules = leaseRulesOf(MINUTE);
  const state: LeaseState = {
    sinceKeptMs: 0,
    sinceClaimedMs: 0,
    sinceTriedMs: undefined,
    isTrying: false,
    isAborted: false,
    hasProgress: false,
  };

  test.each<[string, Partial<LeaseState>, object]>([
    ['a new lease waits, but reads the clocks each second', {}, { step: 'wait', ms: 1_000 }],
    ['a heartbeat is due', { sinceKeptMs: 20_000 }, { step: 'heartbeat' }],
    ['it is due soon', { sinceKeptMs: 19_900 }, { step: 'wait', ms: 100 }],
    ['there is a first progress to send', { hasProgress: true }, { step: 'heartbeat' }],
    [
      'the progress before was sent a moment ago',
      { hasProgress: true, sinceTriedMs: 4_500 },
      { step: 'wait', ms: 500 },
    ],
    ['one is under way', { sinceKeptMs: 30_000, sinceTriedMs: 0, isTrying: true }, { step: 'wait' }],
    ['one has just failed', { sinceKeptMs: 30_000, sinceTriedMs: 400 }, { step: 'wait', ms: 600 }],
    ['no heartbeat has arrived', { sinceKeptMs: 53_000 }, { step: 'abort', reason: 'lost' }],
    [
      'one under way comes too late',
      { sinceKeptMs: 53_000, sinceTriedMs: 1_000, isTrying: true },
      { step: 'abort', reason: 'lost' },
    ],
    ['the attempt timed out', { sinceClaimedMs: 293_000 }, { step: 'abort', reason: 'timed-out' }],
    [
      'a stopped one keeps its lease',
      { sinceClaimedMs: 293_000, sinceKeptMs: 20_000, isAborted: true },
      { step: 'heartbeat' },
    ],
  ])('%s', (_, given, expected) => {
    expect(nextLeaseStep({ ...state, ...given }, rules)).toMatchObject(expected);
  });
});

describe('the time between two moments', () => {
  const from: Moment = { monotonicMs: 1_000, wallMs: 9_000 };
  test.each([
    ['is that of the monotonic clock', 5_000, 5_200, 5_000],
    ['is that of the wall clock after the machine has slept', 5_000, 605_000, 605_000],
    ['does not shrink when the wall clock is set back', 5_000, -3_600_000, 5_000],
  ])('%s', (_, monotonicMs, wallMs, elapsed) => {
    const to = { monotonicMs: 1_000 + monotonicMs, wallMs: 9_000 + wallMs };
    expect(elapsedMs(from, to)).toBe(elapsed);
    expect(isPast(later(from, elapsed), to)).toBe(true);
    expect(isPast(later(from, elapsed + 1), to)).toBe(false);
  });
});

test.each([
  ['15s', 15_000],
  ['1m30s', 90_000],
  ['PT1H', 3_600_000],
  ['P1DT1S', 86_401_000],
  ['PT', undefined],
  ['soon', undefined],
])('%s is %s ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

const error = new Error('broken');
test.each([
  ['a result', { value: 1 }, undefined, { report: 'complete', result: 1 }],
  ['a result after a cancellation', { value: 1 }, 'cancelled', { report: 'complete' }],
  ['an error', { error }, undefined, { report: 'fail', error: 'broken', retriable: true }],
  [
    'an error with a delay',
    { error: new RetryAfter('5m') },
    undefined,
    { report: 'fail', retriable: true, retryAfter: '5m', error: 'try again after 5m' },
  ],
  ['a fatal error', { error: new FatalError('no') }, undefined, { report: 'fail', retriable: false }],
  [
    'a fatal error with a reason',
    { error: new FatalError('no', { reason: 'bad-payload' }) },
    undefined,
    { report: 'fail', retriable: false, reason: 'bad-payload' },
  ],
  ['an error after the time-out', { error }, 'timed-out', { report: 'fail', retriable: true }],
  ['an error after the loss of the lease', { error }, 'lost', { report: 'nothing' }],
  ['work that has not begun', { error: new ReleaseError('no') }, undefined, { report: 'release' }],
  ['an error without a text', { error: new Error('') }, 'stopped', { report: 'fail', error: 'stopped' }],
] as const)('%s is reported', (_, handled, stopped, expected) => {
  expect(reportOf(handled, stopped)).toMatchObject(expected);
});

test('lines wait for a second at first, and for five from the second minute', () => {
  expect([flushAfterMs(0), flushAfterMs(59_999), flushAfterMs(60_000)]).toEqual([1_000, 1_000, 5_000]);
});

test.each(['soon', '7h', 5])('a delay of %j is refused where it is given', (delay) => {
  expect(() => new RetryAfter(delay as string)).toThrow('expected a duration such as 5m, at most 6h');
});
