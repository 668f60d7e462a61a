import { abortedCall, type TargetResult } from '../../../lambdas/core/domain/target-result';
import { callWithin } from '../../../lambdas/executor/call-within';
import type { SigningSecrets } from '../../../lambdas/core/delivery/signing/signing-secrets';
import type { ExecutorDeps } from '../../../lambdas/executor/deps';
import { aJob, anExecution, aTarget } from '../../support/factories';
import { FakeClock } from '../../support/fake-clock';
import { RecordingLog } from '../../support/recording-log';

const MINUTE_MS = 60_000;
const ok: TargetResult = { outcome: 'succeeded', statusCode: 200 };

interface World {
  clock: FakeClock;
  log: RecordingLog;
  lease: AbortController;
  calls: number;
  result: Promise<TargetResult>;
}

const NO_SECRETS: SigningSecrets = { host: [], legacy: [] };

interface Given {
  remainingMs?: number;
  signingSecrets?: ExecutorDeps['signingSecrets'];
  leaseIsLost?: boolean;
  /** The lease has run out by the clock, and no timer has fired yet. */
  leaseIsOver?: boolean;
}

/** One call of a target with a time-out of 30 s, by a client library that does as `library` does. */
function calling(
  library: (signal: AbortSignal, clock: FakeClock) => Promise<TargetResult>,
  {
    remainingMs = 15 * MINUTE_MS,
    signingSecrets = async () => NO_SECRETS,
    leaseIsLost,
    leaseIsOver,
  }: Given = {},
): World {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const lease = new AbortController();
  if (leaseIsLost) lease.abort();
  const handle = {
    lease: {} as never,
    signal: lease.signal,
    lostBy: () => (leaseIsOver ? ('expired' as const) : undefined),
  };
  const world: World = { clock, log, lease, calls: 0, result: undefined as never };
  const call: ExecutorDeps['call'] = (_target, _delivery, signal) => {
    world.calls += 1;
    return library(signal, clock);
  };
  const secretUrl = async () => undefined;
  const deps = {
    clock,
    log,
    call,
    secretUrl,
    signingSecrets,
    traceHeaders: async () => ({ traceparent: '' }),
    reportBy: undefined!,
  };
  const execution = anExecution();
  const job = aJob({ target: aTarget({ timeout: '30s' }) });
  const attempt = { execution, of: execution, job, handle };
  world.result = callWithin(attempt, 0, deps, { remainingMs: () => remainingMs });
  return world;
}

const hanging = () => new Promise<never>(() => undefined);
const abortOf = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
const TIMED_OUT = { outcome: 'retriable', error: 'timed out after 30000 ms (target timeout)' };

test('a result in time is the result, and no timer is left behind', async () => {
  const { clock, log, result } = calling(async (_, time) => (await time.sleep(29_999), ok));
  expect(await clock.settle(result)).toEqual(ok);
  expect(clock.monotonicMs()).toBe(29_999);
  expect(clock.sleeping).toBe(0);
  expect(log.lines).toEqual([]);
});

test('a library that heeds its signal ends at the limit, and nothing is logged', async () => {
  const { clock, log, result } = calling(async (signal) => {
    await abortOf(signal);
    return { outcome: 'retriable', error: 'call aborted' };
  });
  expect(await clock.settle(result)).toEqual(TIMED_OUT);
  expect(clock.monotonicMs()).toBe(30_000);
  expect(log.lines).toEqual([]);
  expect(clock.sleeping).toBe(0);
});

test('a time-out says in which phase the call was', async () => {
  const { clock, result } = calling(async (signal) => (await abortOf(signal), abortedCall('connection')));
  const error = `${TIMED_OUT.error}, phase: connection`;
  expect(await clock.settle(result)).toEqual({ outcome: 'retriable', error });
});

test.each([
  ['succeeded', ok],
  ['accepted', { outcome: 'accepted', statusCode: 202 }],
] as [string, TargetResult][])(
  'a library that has %s when it is aborted has the last word',
  async (_, last) => {
    const { clock, result } = calling(async (signal) => (await abortOf(signal), last));
    expect(await clock.settle(result)).toEqual(last);
  },
);

test('a library that never settles is left behind a second after the limit, and logged', async () => {
  const { clock, log, result } = calling(hanging);
  expect(await clock.settle(result)).toEqual(TIMED_OUT);
  expect(clock.monotonicMs()).toBe(31_000);
  expect(log.messages('warn')).toEqual(['call left behind: it did not settle after its abort']);
  expect(log.lines[0]!.fields).toMatchObject({
    execId: anExecution().execId,
    attempt: 2,
    targetType: 'http',
  });
  expect(clock.sleeping).toBe(0);
});

test('a lost lease or a cancellation ends it in the same way', async () => {
  const { clock, log, lease, result } = calling(hanging);
  await clock.advance(5_000);
  lease.abort();
  expect(await clock.settle(result)).toEqual({ outcome: 'retriable', error: 'call aborted' });
  expect(clock.monotonicMs()).toBe(6_000);
  expect(log.messages('warn')).toHaveLength(1);
});

test('the end of the invocation is a limit too', async () => {
  const { clock, result } = calling(hanging, { remainingMs: 25_000 });
  expect(await clock.settle(result)).toEqual({
    outcome: 'retriable',
    error: 'timed out after 15000 ms (end of the invocation)',
  });
});

test.each([
  ['rejects', () => Promise.reject(new Error('too late'))],
  ['resolves', () => Promise.resolve(ok)],
])('a call that %s after it was left behind is logged, and is no unhandled rejection', async (_, settle) => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  try {
    const { clock, log, result } = calling(async (_signal, time) => (await time.sleep(MINUTE_MS), settle()));
    expect(await clock.settle(result)).toEqual(TIMED_OUT);
    await clock.advance(MINUTE_MS);
    expect(log.messages('warn').at(-1)).toBe('call that was left behind has settled');
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});

test('a call that throws of itself fails the attempt, as before its limit so just after it', async () => {
  const early = calling(() => Promise.reject(new Error('broken')));
  await expect(early.clock.settle(early.result)).rejects.toThrow('broken');
  const late = calling(async (signal) => {
    await abortOf(signal);
    throw new Error('broken');
  });
  await expect(late.clock.settle(late.result)).rejects.toThrow('broken');
});

test('secrets that do not arrive in time: nothing is called, not even later', async () => {
  let give = (_secrets: SigningSecrets): void => undefined;
  const signingSecrets = () => new Promise<SigningSecrets>((resolve) => (give = resolve));
  const world = calling(hanging, { signingSecrets });
  expect(await world.clock.settle(world.result)).toEqual(TIMED_OUT);
  give(NO_SECRETS);
  await world.clock.flush();
  expect(world.calls).toBe(0);
});

test.each([
  ['is lost already', { leaseIsLost: true }],
  ['has run out by the clock, though no timer has fired yet', { leaseIsOver: true }],
])('an attempt whose lease %s calls nothing', async (_, given) => {
  const { clock, result, ...world } = calling(async () => ok, given);
  expect(await clock.settle(result)).toMatchObject({
    outcome: 'retriable',
    error: expect.stringMatching(/^not called/),
  });
  expect(world.calls).toBe(0);
});
