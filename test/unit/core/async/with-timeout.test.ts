import { getEventListeners } from 'node:events';

import { TimeoutError, type TimeoutOptions, withTimeout } from '../../../../lambdas/core/async/with-timeout';
import { isRetryable } from '../../../../lambdas/core/is-retryable';
import { FakeClock } from '../../../support/fake-clock';

const TIMEOUT_MS = 1_000;

describe('withTimeout', () => {
  let clock: FakeClock;
  let signals: AbortSignal[];

  beforeEach(() => {
    clock = new FakeClock();
    signals = [];
  });

  /** Work that settles after `ms`, and does not heed its signal. */
  const workOf = (ms: number, settle: () => string) => async (signal: AbortSignal) => {
    signals.push(signal);
    await clock.sleep(ms);
    return settle();
  };
  const answer = () => 'answer';
  const fail = (): string => {
    throw new Error('failed');
  };
  const outcomeOf = (work: (signal: AbortSignal) => Promise<string>, options?: TimeoutOptions<string>) =>
    withTimeout(TIMEOUT_MS, work, clock, options).catch((error: unknown) => error);

  it('returns the answer that comes first, and does not abort the work', async () => {
    expect(await clock.settle(outcomeOf(workOf(999, answer)))).toBe('answer');
    expect(signals).toMatchObject([{ aborted: false }]);
  });

  it('rejects as the work does', async () => {
    expect(await clock.settle(outcomeOf(workOf(999, fail)))).toEqual(new Error('failed'));
    const throws = () => {
      throw new Error('at once');
    };
    expect(await clock.settle(outcomeOf(throws))).toEqual(new Error('at once'));
  });

  it('rejects at the time-out, with an error that is retryable', async () => {
    const outcome = outcomeOf(workOf(1_001, answer));
    await clock.advance(TIMEOUT_MS);
    const error = await outcome;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: 'no result within 1000 ms' });
    expect(isRetryable(error)).toBe(true);
  });

  it('rejects with the error that its caller makes', async () => {
    const outcome = outcomeOf(workOf(1_001, answer), { error: () => new Error('given up') });
    await clock.advance(TIMEOUT_MS);
    expect(await outcome).toEqual(new Error('given up'));
  });

  it('takes an answer at the very instant of the time-out', async () => {
    expect(await clock.settle(outcomeOf(workOf(TIMEOUT_MS, answer)))).toBe('answer');
    expect(await clock.settle(outcomeOf(workOf(TIMEOUT_MS, fail)))).toEqual(new Error('failed'));
  });

  it('aborts the work at the time-out, and reports its own error and not that of the aborted call', async () => {
    const call = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signals.push(signal);
        signal.addEventListener('abort', () => reject(new Error('aborted call')));
      });
    const late: PromiseSettledResult<string>[] = [];
    const outcome = outcomeOf(call, { onLate: (one) => late.push(one) });
    await clock.advance(TIMEOUT_MS);
    expect(await outcome).toBeInstanceOf(TimeoutError);
    expect(signals[0]!.reason).toBe(await outcome);
    expect(late).toEqual([{ status: 'rejected', reason: new Error('aborted call') }]);
  });

  it.each([
    ['an answer', answer, { status: 'fulfilled', value: 'answer' }],
    ['a failure', fail, { status: 'rejected', reason: new Error('failed') }],
  ])('hands %s after the time-out to onLate, once', async (_, settle, expected) => {
    const late: PromiseSettledResult<string>[] = [];
    const outcome = outcomeOf(workOf(3_000, settle), { onLate: (one) => late.push(one) });
    await clock.advance(2_999);
    expect(await outcome).toBeInstanceOf(TimeoutError);
    expect(late).toEqual([]);
    await clock.advance(1);
    expect(late).toEqual([expected]);
  });

  it('ignores a late failure if there is no onLate', async () => {
    const outcome = outcomeOf(workOf(3_000, fail));
    await clock.advance(3_000); // an unhandled rejection would fail the test
    expect(await outcome).toBeInstanceOf(TimeoutError);
  });

  it('does not call onLate for what was in time', async () => {
    const onLate = jest.fn();
    await clock.settle(outcomeOf(workOf(10, answer), { onLate }));
    await clock.settle(outcomeOf(workOf(10, fail), { onLate }));
    await clock.advance(2 * TIMEOUT_MS);
    expect(onLate).not.toHaveBeenCalled();
  });

  it('ends with the caller’s signal, and aborts the work', async () => {
    const caller = new AbortController();
    const outcome = outcomeOf(workOf(3_000, answer), { signal: caller.signal });
    await clock.advance(500);
    caller.abort('no longer needed');
    expect(await outcome).toBe('no longer needed');
    expect(signals).toMatchObject([{ aborted: true, reason: 'no longer needed' }]);
  });

  it('does not begin once the caller’s signal has aborted', async () => {
    const work = jest.fn();
    expect(await outcomeOf(work, { signal: AbortSignal.abort('over') })).toBe('over');
    expect(work).not.toHaveBeenCalled();
  });

  it('leaves no timer and no listener behind', async () => {
    const { signal } = new AbortController();
    await clock.settle(outcomeOf(workOf(0, answer), { signal }));
    await clock.settle(outcomeOf(workOf(0, fail), { signal }));
    expect(clock.sleeping).toBe(0);
    const outcome = outcomeOf(() => new Promise(() => undefined), { signal });
    await clock.advance(TIMEOUT_MS);
    expect(await outcome).toBeInstanceOf(TimeoutError);
    expect(clock.sleeping).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
