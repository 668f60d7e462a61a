import { setMaxListeners } from 'node:events';

import { startTimer, type TimerClock } from './start-timer';

export interface TimeoutOptions<Value> {
  /** Ends the wait early: the promise rejects with this signal's reason. */
  signal?: AbortSignal;
  /** What the promise rejects with after the time-out. Default: a `TimeoutError`. */
  error?: () => Error;
  /** Receives the outcome of work that settles after the wait has ended. Default: that outcome is ignored. */
  onLate?: (outcome: PromiseSettledResult<Value>) => void;
}

/** The name is one of those that `isRetryable` knows. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Waits at most `ms` milliseconds of monotonic time for `work`. Work that settles at the very end is in time.
 *
 * After that, the signal that the work was given aborts, and the promise rejects at once, whether or not the
 * work heeds the signal. No timer or listener is left behind.
 */
export async function withTimeout<Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
  clock: TimerClock,
  { signal, error = () => new TimeoutError(`no result within ${ms} ms`), onLate }: TimeoutOptions<Value> = {},
): Promise<Value> {
  signal?.throwIfAborted();
  const request = new AbortController();
  setMaxListeners(0, request.signal); // one listener for each call of a large batch is not a leak
  const working = work(request.signal);
  return new Promise((resolve, reject) => {
    const leave = () => {
      cancelTimer();
      signal?.removeEventListener('abort', abort);
    };
    const end = (reason: unknown) => {
      leave();
      reject(reason); // before the work rejects because of the abort
      request.abort(reason);
    };
    const abort = () => end(signal!.reason);
    signal?.addEventListener('abort', abort);
    const cancelTimer = startTimer(clock, ms, () => end(error()));
    const settled = (outcome: PromiseSettledResult<Value>) => {
      if (request.signal.aborted) return onLate?.(outcome);
      leave();
      if (outcome.status === 'fulfilled') resolve(outcome.value);
      else reject(outcome.reason as Error);
    };
    working.then(
      (value) => settled({ status: 'fulfilled', value }),
      (reason: unknown) => settled({ status: 'rejected', reason }),
    );
  });
}
